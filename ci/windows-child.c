// A child for the checks of supervised runs: says its arguments, or starts others and waits.
#include <stdio.h>
#include <string.h>
#include <windows.h>
static BOOL WINAPI asked(DWORD event) { if (event != CTRL_C_EVENT) return FALSE; puts("asked"); fflush(stdout); ExitProcess(9); }
static BOOL WINAPI deaf(DWORD event) { puts(event == CTRL_C_EVENT ? "asked" : "told"); fflush(stdout); return TRUE; }
int wmain(int argc, wchar_t **argv) {
    char text[4096];
    if (argc > 1 && !wcscmp(argv[1], L"args")) {
        for (int i = 2; i < argc; i++) {
            WideCharToMultiByte(CP_UTF8, 0, argv[i], -1, text, sizeof text, 0, 0);
            printf("[%s]\n", text);
        }
        return 7;
    }
    if (argc > 2 && !wcscmp(argv[1], L"tree")) { // tree TOKEN: a child and a grandchild that sleep, deaf to all questions
        wchar_t line[1024];
        int depth = argc > 3 ? _wtoi(argv[3]) : 2;
        SetConsoleCtrlHandler(deaf, TRUE);
        if (depth > 0) {
            STARTUPINFOW start = {sizeof start};
            PROCESS_INFORMATION made;
            swprintf(line, 1024, L"\"%ls\" tree %ls %d", argv[0], argv[2], depth - 1);
            if (!CreateProcessW(0, line, 0, 0, TRUE, CREATE_NEW_CONSOLE, 0, 0, &start, &made)) return 3;
        }
        puts("ready"); fflush(stdout);
        Sleep(INFINITE);
    }
    SetConsoleCtrlHandler(asked, TRUE);
    puts("ready"); fflush(stdout);
    Sleep(INFINITE);
}
