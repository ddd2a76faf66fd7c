//! Gives the Windows programs their icon, version and manifest. Does nothing for other systems.

use std::env;
use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=assets/icon.ico");
    println!("cargo::rerun-if-changed=assets/windows.manifest");
    // The system that is built for, not the one that builds.
    if env::var("CARGO_CFG_TARGET_OS").as_deref() != Ok("windows") {
        return Ok(());
    }
    let mut resource = winresource::WindowsResource::new();
    resource
        .set_icon("assets/icon.ico")
        .set_manifest_file("assets/windows.manifest")
        .set("ProductName", "Assert Doctor")
        .set("FileDescription", "Assert Doctor")
        .set("LegalCopyright", "MIT OR Apache-2.0");
    if cfg!(not(windows)) && env::var("CARGO_CFG_TARGET_ENV").as_deref() == Ok("gnu") {
        resource
            .set_windres_path("x86_64-w64-mingw32-windres")
            .set_ar_path("x86_64-w64-mingw32-ar");
    }
    resource.compile()?;
    Ok(())
}
