/** How the system's Chromium is started: quiet, without its own network traffic; the sandbox needs a user that is not root. */
export const chromiumOptions = {
  executablePath: process.env['BASHGYM_CHROMIUM'] || '/usr/bin/chromium-headless-shell',
  args: [
    ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
    '--disable-gpu', // drawing without a graphics card is faster without its emulation
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
  ],
}
