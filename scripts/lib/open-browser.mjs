// Opens a file or a URL in the default browser, without a shell. Other users can read the arguments, so they must contain no secret.
import { spawn, spawnSync } from 'node:child_process'

/** Returns false if there is no program that opens URLs; the caller then prints the URL. */
export function openInBrowser(place) {
  const [command, args] =
    process.platform === 'darwin'
      ? ['open', [place]]
      : process.platform === 'win32'
        ? ['rundll32', ['url.dll,FileProtocolHandler', place]]
        : ['xdg-open', [place]]
  if (process.platform === 'linux' && spawnSync('which', [command]).status !== 0) return false
  const child = spawn(command, args, { stdio: 'ignore', detached: true })
  child.once('error', () => {
    console.error(`${command} could not be started; run npm run -s bashgym -- open --print and open its link by hand.`)
  })
  child.unref()
  return true
}
