//! The few calls to Windows that have no safe form: console, message box, elevation.
//!
//! Elsewhere the same functions give the obvious answer.

#[cfg(windows)]
pub(super) use windows::{has_console, is_elevated, message_box};

#[cfg(not(windows))]
pub(super) use other::{has_console, is_elevated, message_box};

#[cfg(not(windows))]
mod other {
    /// Standard error can be written to.
    pub fn has_console() -> bool {
        true
    }

    /// Shows a box with a text; there is no such thing without a toolkit, so it goes to the log.
    pub fn message_box(_title: &str, text: &str, _is_error: bool) {
        log::error!("{text}");
    }

    /// Whether file managers are kept from dropping files into the window.
    pub fn is_elevated() -> bool {
        false
    }
}

#[cfg(windows)]
#[expect(
    unsafe_code,
    reason = "Windows' own functions; no crate at hand wraps these four safely"
)]
mod windows {
    use windows_sys::Win32::Foundation::{CloseHandle, HANDLE, INVALID_HANDLE_VALUE};
    use windows_sys::Win32::Security::{
        GetTokenInformation, TOKEN_ELEVATION_TYPE, TOKEN_QUERY, TokenElevationType,
        TokenElevationTypeFull,
    };
    use windows_sys::Win32::System::Console::{
        ATTACH_PARENT_PROCESS, AttachConsole, GetStdHandle, STD_ERROR_HANDLE,
    };
    use windows_sys::Win32::System::Threading::{GetCurrentProcess, OpenProcessToken};
    use windows_sys::Win32::UI::WindowsAndMessaging::{
        MB_ICONERROR, MB_ICONINFORMATION, MB_OK, MB_SETFOREGROUND, MessageBoxW,
    };

    /// Standard error leads somewhere: it was redirected, or the console that started us takes it.
    pub fn has_console() -> bool {
        // SAFETY: neither function takes a pointer.
        unsafe {
            let error = GetStdHandle(STD_ERROR_HANDLE);
            (!error.is_null() && error != INVALID_HANDLE_VALUE)
                || AttachConsole(ATTACH_PARENT_PROCESS) != 0
        }
    }

    /// Shows a box with a text and waits until it is closed.
    pub fn message_box(title: &str, text: &str, is_error: bool) {
        let wide = |s: &str| -> Vec<u16> {
            s.encode_utf16()
                .filter(|&unit| unit != 0)
                .chain([0])
                .collect()
        };
        let (title, text) = (wide(title), wide(text));
        let icon = if is_error {
            MB_ICONERROR
        } else {
            MB_ICONINFORMATION
        };
        // SAFETY: both texts end with a zero and outlive the call; there is no owner window.
        unsafe {
            MessageBoxW(
                std::ptr::null_mut(),
                text.as_ptr(),
                title.as_ptr(),
                MB_OK | MB_SETFOREGROUND | icon,
            );
        }
    }

    /// Whether Explorer is kept from dropping files into the window: we were started "as
    /// administrator" while Explorer was not. With user account control off both have the
    /// same rights and dropping works, which is why the kind of elevation is asked for.
    pub fn is_elevated() -> bool {
        let mut token: HANDLE = std::ptr::null_mut();
        let mut kind: TOKEN_ELEVATION_TYPE = 0;
        let size = size_of::<TOKEN_ELEVATION_TYPE>() as u32;
        let mut written = 0;
        // SAFETY: all pointers lead to live locals of the stated size; the token is closed once.
        unsafe {
            if OpenProcessToken(GetCurrentProcess(), TOKEN_QUERY, &raw mut token) == 0 {
                return false;
            }
            let known = GetTokenInformation(
                token,
                TokenElevationType,
                (&raw mut kind).cast(),
                size,
                &raw mut written,
            ) != 0;
            CloseHandle(token);
            known && kind == TokenElevationTypeFull
        }
    }
}
