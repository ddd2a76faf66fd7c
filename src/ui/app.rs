//! The window's content: one state, one worker, and what is drawn of them.

use std::sync::Arc;

use eframe::egui;
use egui::{CentralPanel, Frame, Ui};

use super::file_dialog::{Answer, Ask, FileDialog};
use super::startup::StartOptions;
use super::widgets::drop_overlay_ui;
use super::{Commands, panels, shell, shortcuts, theme};
use crate::app::{AppState, Command, Event, Job, LogStatus, Note, RunEdit, Tab, Without, Worker};
use crate::settings::Renderer;
use crate::words::Language;

/// The window's content.
pub struct App {
    state: AppState,
    worker: Worker,
    /// There is somewhere to keep the settings.
    keeps_settings: bool,
    dialog: FileDialog,
    log: panels::LogPanel,
    labels: panels::LabelsPanel,
    run: panels::RunPanel,
    /// The log that the panel is about, compared and never read.
    shown: Option<*const crate::case::Log>,
    paste: shortcuts::PasteRequest,
}

impl App {
    /// The content of a window that has just been made: opens what the command line names.
    pub fn new(cc: &eframe::CreationContext<'_>, start: StartOptions) -> Self {
        let ctx = cc.egui_ctx.clone();
        let worker = Worker::new(Arc::new(move || ctx.request_repaint()));
        let mut settings = start.settings.clone();
        let kept_language = settings.language;
        let asked = start.language.as_deref().and_then(Language::from_tag);
        if asked.is_some() {
            settings.language = asked;
        }
        let mut state = AppState::new(settings);
        // A language from the command line is spoken, not kept.
        state.settings.language = kept_language;
        note_start(&mut state, &start);
        let mut app = Self::with(&cc.egui_ctx, state, worker);
        app.keeps_settings = start.settings_path.is_some();
        if !start.paths.is_empty() {
            app.handle(&cc.egui_ctx, Command::Open(start.paths));
        }
        if app.keeps_settings {
            // A run outlives the window: it is found again, whatever is opened.
            let jobs = app.state.find_run();
            app.start_jobs(jobs);
        }
        app
    }

    /// The content over a given state and worker; settings are not kept.
    pub fn with(ctx: &egui::Context, state: AppState, worker: Worker) -> Self {
        theme::install(ctx);
        Self {
            state,
            worker,
            keeps_settings: false,
            dialog: FileDialog::default(),
            log: panels::LogPanel::default(),
            labels: panels::LabelsPanel::default(),
            run: panels::RunPanel::default(),
            shown: None,
            paste: shortcuts::PasteRequest::default(),
        }
    }

    /// What is shown.
    pub fn state(&self) -> &AppState {
        &self.state
    }

    /// Takes in an event as the worker's are.
    pub fn apply(&mut self, event: Event) {
        let jobs = self.state.apply(event);
        self.start_jobs(jobs);
        self.follow_log();
    }

    fn handle(&mut self, ctx: &egui::Context, command: Command) {
        let ask = match &command {
            Command::ChooseFiles => Some(Ask::Files {
                logs: self.state.tab == Tab::Log,
            }),
            Command::ChooseFolder => Some(Ask::Folders),
            Command::ChooseExport => Some(Ask::Export),
            Command::ChooseScript => Some(Ask::Script),
            Command::ChooseRunFolder => Some(Ask::RunFolder),
            Command::ChooseGuardFile => Some(Ask::Guard),
            _ => None,
        };
        if let Some(ask) = ask {
            self.dialog.open(ctx, ask, self.state.words);
        }
        let jobs = self.state.handle(command);
        self.start_jobs(jobs);
        self.follow_log();
    }

    fn start_jobs(&self, jobs: Vec<Job>) {
        for job in jobs {
            if self.keeps_settings || !matches!(job, Job::SaveSettings(_)) {
                self.worker.start(job);
            }
        }
    }

    /// Another log begins at its own place, not where the last one was left.
    fn follow_log(&mut self) {
        let shown = self.state.shown_log().map(std::ptr::from_ref);
        if self.shown != shown {
            self.shown = shown;
            self.log = panels::LogPanel::of(&self.state);
        }
    }

    fn centre_ui(&mut self, ui: &mut Ui, commands: &mut Commands) {
        if self.state.tab == Tab::Labels {
            self.labels.ui(ui, &self.state, commands);
            return;
        }
        if let Some(setup) = &self.state.rerun.setup {
            panels::setup_ui(ui, &self.state, setup, commands);
            return;
        }
        if let Some(run) = self.state.run_in_front() {
            self.run.ui(ui, &self.state, run, commands);
            return;
        }
        match &self.state.log {
            LogStatus::Empty if self.state.case.is_some() => {
                panels::no_log_ui(ui, &self.state, commands);
            }
            LogStatus::Empty => panels::start_ui(ui, &self.state, commands),
            LogStatus::Loading => panels::loading_ui(ui, &self.state, commands),
            LogStatus::Failed(failed) => {
                panels::failed_ui(ui, &self.state, failed, commands);
            }
            LogStatus::Ready { log, verdict, .. } => {
                self.log.ui(ui, &self.state, *log, verdict, commands);
            }
        }
    }
}

impl eframe::App for App {
    fn logic(&mut self, ctx: &egui::Context, _frame: &mut eframe::Frame) {
        theme::set_choice(ctx, self.state.settings.theme);
        while let Some(event) = self.worker.try_event() {
            self.apply(event);
        }
        match self.dialog.answer() {
            Some(Answer::Files(paths)) => self.handle(ctx, Command::Open(paths)),
            Some(Answer::Export(path)) => self.handle(ctx, Command::ExportOffenders(path)),
            Some(Answer::Script(path)) => self.handle(ctx, Command::RunScript(path)),
            Some(Answer::RunFolder(path)) => {
                let folder = path.display().to_string();
                self.handle(ctx, Command::EditRun(RunEdit::Directory(folder)));
            }
            Some(Answer::Guard(path)) => self.handle(ctx, Command::SaveGuard(path)),
            Some(Answer::NotShown(ask)) => {
                let without = match ask {
                    Ask::Files { .. } | Ask::Folders => Without::Dropping,
                    Ask::Export => Without::Export,
                    Ask::Script => Without::Command,
                    Ask::RunFolder => Without::Folder,
                    Ask::Guard => Without::Guard,
                };
                self.handle(ctx, Command::DialogNotShown(without));
            }
            None => {}
        }
    }

    fn ui(&mut self, ui: &mut Ui, frame: &mut eframe::Frame) {
        let mut commands = Commands::default();
        self.dialog.set_parent(frame);
        // Dropped files and pasted text come once a frame, and a frame can have several passes.
        if ui.current_pass_index() == 0 {
            shortcuts::collect(
                ui,
                &self.state,
                (&mut self.log, &mut self.run),
                &mut self.paste,
                &mut commands,
            );
        }
        shell::top_bar_ui(ui, &self.state, &mut commands);
        shell::status_bar_ui(ui, &self.state, &mut commands);
        let background = theme::colors(ui).background;
        CentralPanel::default()
            .frame(Frame::new().fill(background))
            .show(ui, |ui| {
                shell::notice_ui(ui, &self.state, &mut commands);
                self.centre_ui(ui, &mut commands);
            });
        if ui.input(|input| !input.raw.hovered_files.is_empty()) {
            drop_overlay_ui(ui, theme::colors(ui), self.state.words);
        }
        self.paste.watch(ui, &mut commands);
        if !commands.list.is_empty() {
            // What the commands change is drawn at once, not with the next move of the mouse.
            ui.request_repaint();
        }
        let ctx = ui.ctx().clone();
        for command in commands.list {
            self.handle(&ctx, command);
        }
    }
}

/// What there is to tell about the start.
fn note_start(state: &mut AppState, start: &StartOptions) {
    let drawn = &start.renderer_note;
    // Another graphics interface is nobody's concern; drawing without the card is felt.
    let asked_for = |renderer: &Renderer| *renderer == Renderer::Software;
    let fell_back =
        !drawn.failed.iter().all(|(renderer, _)| asked_for(renderer)) || !drawn.crashed.is_empty();
    if drawn.renderer == Some(Renderer::Software) && fell_back {
        let crashed = !drawn.crashed.is_empty();
        let name = "ui-renderer-software";
        state.note(Note::Renderer { name, crashed });
    }
    if start.elevated {
        state.note(Note::Elevated);
    }
}
