/** Exits with a clear message on an older Node, where SQLite's module would crash. Entries call it before importing anything else. */
export function requireNode24(): void {
  const [major = 0] = process.versions.node.split('.').map(Number)
  if (major >= 24) return
  process.stderr.write(
    `Bash Gym needs Node 24 or newer, but this is ${process.versions.node}. In the checkout, \`npm start\` and \`npm run -s bashgym -- …\` use the right version.\n`,
  )
  process.exit(1)
}
