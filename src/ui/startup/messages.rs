//! What is said where there is no window yet.
//!
//! These few texts are here and not in `assets/locales`, because they must work when nothing else does.

use super::{PROGRAM_NAME, StartFailure, platform};
use crate::words::Language;

/// The texts in one language.
#[derive(Clone, Copy)]
pub(super) struct Messages {
    language: Language,
}

impl Messages {
    /// The texts in a language.
    pub fn new(language: Language) -> Self {
        Self { language }
    }

    fn pick(self, english: &'static str, chinese: &'static str) -> &'static str {
        match self.language {
            Language::En => english,
            Language::ZhCn => chinese,
        }
    }

    /// The answer to `--help`.
    pub fn help(self) -> &'static str {
        self.pick(
            "Assert Doctor: finds out why a PyTorch run died with a CUDA device-side assert\n\
             \n\
             assert-doctor [FILE…] [options]\n\
             \n\
             --renderer auto|dx12|vulkan|gl|software   how to draw the window (auto: the first that works)\n\
             --lang en|zh-CN                           language of the window\n\
             --measure-start                           print the time to the first frame, then close\n\
             --help, --version\n\
             \n\
             For the console use assert-doctor-cli.",
            "Assert Doctor:找出 PyTorch 训练因 CUDA device-side assert 崩溃的原因\n\
             \n\
             assert-doctor [文件…] [选项]\n\
             \n\
             --renderer auto|dx12|vulkan|gl|software   窗口的绘制方式(auto:第一个可用的)\n\
             --lang en|zh-CN                           界面语言\n\
             --measure-start                           显示首帧耗时,然后关闭\n\
             --help, --version\n\
             \n\
             命令行下请使用 assert-doctor-cli。",
        )
    }

    /// Points to `--help`.
    pub fn see_help(self) -> &'static str {
        self.pick("Try assert-doctor --help", "请看 assert-doctor --help")
    }

    /// Why there is no window, and what to try.
    pub fn start_failed(self, failure: &StartFailure) -> String {
        let (what, advice) = match failure {
            StartFailure::NoDisplay(_) => (
                self.pick("Assert Doctor found no screen to open its window on.", "Assert Doctor 找不到可以显示窗口的屏幕。"),
                self.pick(
                    "On a server or over SSH use assert-doctor-cli diagnose LOG instead; it gives the same answers.",
                    "在服务器上或通过 SSH 使用时,请改用 assert-doctor-cli diagnose 日志文件,结论相同。",
                ),
            ),
            StartFailure::NoRenderer(_) => (
                self.pick("Assert Doctor could not find a way to draw its window.", "Assert Doctor 没有找到可用的窗口绘制方式。"),
                self.pick(
                    "Try another one: assert-doctor --renderer software (or gl, vulkan, dx12).\n\
                     Updating the graphics driver often helps. The console program assert-doctor-cli needs no graphics.",
                    "请换一种方式试试:assert-doctor --renderer software(或 gl、vulkan、dx12)。\n\
                     更新显卡驱动往往也有用。命令行程序 assert-doctor-cli 不需要图形界面。",
                ),
            ),
            StartFailure::Window(_) => (
                self.pick("Assert Doctor's window stopped working.", "Assert Doctor 的窗口出了问题,已停止。"),
                self.pick("Start it again; if it happens again: assert-doctor --renderer software", "请重新启动;如果再次出现,请使用:assert-doctor --renderer software"),
            ),
        };
        let details = self.pick("Details", "详细信息");
        format!("{what}\n\n{advice}\n\n{details}: {failure}")
    }

    /// The program failed; where the crash file is.
    pub fn crashed(self, file: Option<&str>) -> String {
        let what = self.pick(
            "Assert Doctor has a fault and had to stop. Your files are unchanged.",
            "Assert Doctor 程序出错,已停止。您的文件没有被改动。",
        );
        match file {
            Some(file) => {
                let where_to = self.pick("What happened is written here:", "错误详情保存在:");
                format!("{what}\n\n{where_to}\n{file}")
            }
            None => what.to_owned(),
        }
    }
}

/// Says something where it can be read: on the console, else in a message box.
pub(super) fn tell(text: &str, is_error: bool) {
    if !platform::has_console() {
        platform::message_box(PROGRAM_NAME, text, is_error);
        return;
    }
    #[expect(
        clippy::print_stdout,
        clippy::print_stderr,
        reason = "this is the one place that speaks on the console"
    )]
    if is_error {
        eprintln!("{text}");
    } else {
        println!("{text}");
    }
}
