/** How the system's Chromium is started: quiet, without its own network traffic; the sandbox needs a user that is not root. */
export const chromiumOptions = {
  executablePath: process.env['BASHGYM_CHROMIUM'] || '/usr/bin/chromium',
  args: [
    ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
  ],
}
