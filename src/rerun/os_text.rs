//! Names and arguments of the system in JSON without loss: a text where it is one, its units where it is not.
//!
//! On Linux any bytes may be an argument, on Windows any 16-bit units. A file that was written on the other system
//! is read as well as it goes: what is no text there cannot be one here.

use std::ffi::{OsStr, OsString};

use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum Form {
    Text(String),
    Bytes { bytes: Vec<u8> },
    Wide { wide: Vec<u16> },
}

fn form(text: &OsStr) -> Form {
    if let Some(text) = text.to_str() {
        return Form::Text(text.to_owned());
    }
    #[cfg(windows)]
    {
        use std::os::windows::ffi::OsStrExt as _;
        Form::Wide {
            wide: text.encode_wide().collect(),
        }
    }
    #[cfg(not(windows))]
    {
        use std::os::unix::ffi::OsStrExt as _;
        Form::Bytes {
            bytes: text.as_bytes().to_vec(),
        }
    }
}

fn text(form: Form) -> OsString {
    match form {
        Form::Text(text) => text.into(),
        #[cfg(windows)]
        Form::Bytes { bytes } => String::from_utf8_lossy(&bytes).into_owned().into(),
        #[cfg(not(windows))]
        Form::Bytes { bytes } => {
            use std::os::unix::ffi::OsStringExt as _;
            OsString::from_vec(bytes)
        }
        #[cfg(windows)]
        Form::Wide { wide } => {
            use std::os::windows::ffi::OsStringExt as _;
            OsString::from_wide(&wide)
        }
        #[cfg(not(windows))]
        Form::Wide { wide } => String::from_utf16_lossy(&wide).into(),
    }
}

/// For one text.
pub(super) mod one {
    use super::{Form, OsStr, OsString};
    use serde::{Deserialize as _, Deserializer, Serialize as _, Serializer};

    pub(in crate::rerun) fn serialize<S: Serializer>(
        value: &OsStr,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        super::form(value).serialize(serializer)
    }

    pub(in crate::rerun) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<OsString, D::Error> {
        Form::deserialize(deserializer).map(super::text)
    }
}

/// For a list of them.
pub(super) mod many {
    use super::{Form, OsString};
    use serde::{Deserialize as _, Deserializer, Serializer};

    pub(in crate::rerun) fn serialize<S: Serializer>(
        values: &[OsString],
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(values.iter().map(|value| super::form(value)))
    }

    pub(in crate::rerun) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Vec<OsString>, D::Error> {
        let forms = Vec::<Form>::deserialize(deserializer)?;
        Ok(forms.into_iter().map(super::text).collect())
    }
}

/// For a path.
pub(super) mod path {
    use super::Form;
    use serde::{Deserialize as _, Deserializer, Serialize as _, Serializer};
    use std::path::{Path, PathBuf};

    pub(in crate::rerun) fn serialize<S: Serializer>(
        value: &Path,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        super::form(value.as_os_str()).serialize(serializer)
    }

    pub(in crate::rerun) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<PathBuf, D::Error> {
        Form::deserialize(deserializer).map(|form| super::text(form).into())
    }
}

/// For a path that may be missing.
pub(super) mod maybe_path {
    use super::Form;
    use serde::{Deserialize as _, Deserializer, Serialize as _, Serializer};
    use std::path::PathBuf;

    #[expect(clippy::ref_option, reason = "serde hands a reference to the field")]
    pub(in crate::rerun) fn serialize<S: Serializer>(
        value: &Option<PathBuf>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        value
            .as_ref()
            .map(|path| super::form(path.as_os_str()))
            .serialize(serializer)
    }

    pub(in crate::rerun) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<PathBuf>, D::Error> {
        let form = Option::<Form>::deserialize(deserializer)?;
        Ok(form.map(|form| super::text(form).into()))
    }
}
