//! Names of columns and keys that tell what their values are.

use super::super::Role;

/// What a name tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Told {
    /// What the values are used as.
    pub role: Role,
    /// How telling the name is: of class names only those of the lowest rank in a file are taken, so that a column of names
    /// beside the column of its ids is left alone. 0: always taken.
    pub rank: u8,
}

/// Longest name that is looked at.
const LONGEST: usize = 64;

/// Whether and what the name of a column or key tells; upper and lower case, blanks, `_`, `-` and `.` make no difference.
pub(super) fn told(name: &str) -> Option<Told> {
    if name.len() > LONGEST {
        return None;
    }
    let lower = name.trim().to_ascii_lowercase();
    let bare: String = lower.chars().filter(|c| c.is_alphanumeric()).collect();
    let always = |role| Some(Told { role, rank: 0 });
    let class = |rank| {
        Some(Told {
            role: Role::Class,
            rank,
        })
    };
    match bare.as_str() {
        "inputids" | "decoderinputids" | "tokenids" => always(Role::Token),
        "positionids" => always(Role::Position),
        "tokentypeids" | "segmentids" => always(Role::TokenType),
        "startpositions" | "endpositions" | "answerstart" => always(Role::Index),
        "label" | "labels" | "labelid" | "labelids" | "labelidx" | "labelindex" | "classid"
        | "classids" | "classidx" | "classindex" | "classlabel" | "classnumber" | "clsid"
        | "categoryid" | "categoryids" | "catid" | "target" | "targets" | "targetid"
        | "gtlabel" | "truelabel" | "finelabel" | "finelabels" | "coarselabel" | "coarselabels"
        | "goldlabel" => class(1),
        "class" | "cls" | "category" | "gt" | "groundtruth" | "sentiment" | "species"
        | "classname" | "labelname" | "categoryname" | "labeltext" | "targetname" => class(2),
        "标签" | "标签id" | "标签编号" | "类别id" | "类别编号" | "类别标签" => {
            class(1)
        }
        "类别" | "分类" | "类别名" | "类别名称" | "标签名" | "标签名称" => {
            class(2)
        }
        "y" => class(3),
        _ if lower.ends_with("_tags")
            || lower.ends_with("_labels")
            || lower.ends_with("_label") =>
        {
            class(1)
        }
        _ => None,
    }
}

/// Ids that index an embedding of a recommender: taken only where the user says that the values are embedding inputs.
pub(super) fn is_item_id(name: &str) -> bool {
    let lower = name.trim().to_ascii_lowercase();
    let bare: String = lower.chars().filter(char::is_ascii_alphanumeric).collect();
    bare.strip_suffix("id")
        .or(bare.strip_suffix("idx"))
        .is_some_and(|what| {
            matches!(
                what,
                "user"
                    | "item"
                    | "movie"
                    | "product"
                    | "book"
                    | "track"
                    | "song"
                    | "artist"
                    | "news"
                    | "business"
                    | "customer"
                    | "session"
                    | "ad"
                    | "app"
                    | "game"
                    | "anime"
                    | "token"
            )
        })
}

/// Names of columns that number or place rows and never hold labels.
pub(super) fn is_bookkeeping(name: &str) -> bool {
    let lower = name.trim().to_ascii_lowercase();
    let bare: String = lower.chars().filter(char::is_ascii_alphanumeric).collect();
    bare.ends_with("id")
        || matches!(
            bare.as_str(),
            "" | "index"
                | "idx"
                | "row"
                | "rowid"
                | "no"
                | "nr"
                | "number"
                | "fold"
                | "timestamp"
                | "time"
                | "date"
                | "year"
                | "width"
                | "height"
                | "x"
                | "x1"
                | "x2"
                | "y1"
                | "y2"
                | "xmin"
                | "xmax"
                | "ymin"
                | "ymax"
                | "w"
                | "h"
                | "frame"
                | "size"
                | "length"
                | "count"
                | "unnamed0"
                | "age"
        )
}

/// Whether a text names a picture.
pub(super) fn is_picture(text: &str) -> bool {
    let Some((_, end)) = text.rsplit_once('.') else {
        return false;
    };
    [
        "jpg", "jpeg", "png", "ppm", "bmp", "pgm", "tif", "tiff", "webp", "gif",
    ]
    .iter()
    .any(|known| end.eq_ignore_ascii_case(known))
}
