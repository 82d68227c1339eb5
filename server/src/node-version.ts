/**
 * Ends with one clear sentence on a Node that cannot run what follows: SQLite's module would crash it without a word.
 * Entries call this before they import anything else.
 */
export function requireNode24(): void {
  const [major = 0] = process.versions.node.split('.').map(Number)
  if (major >= 24) return
  process.stderr.write(
    `Bash Gym needs Node 24 or newer, but this is ${process.versions.node}. In the checkout, \`npm start\` and \`npm run -s bashgym -- …\` bring their own.\n`,
  )
  process.exit(1)
}
