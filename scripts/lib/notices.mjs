// The third-party notice of the desktop package: every shipped npm package with its licence and the licence text.
import fs from 'node:fs'
import path from 'node:path'

/**
 * The shipped npm packages, sorted by name: the packages that the server loads, and the packages that the renderer's
 * bundle may contain (everything that renderer/src imports, with its dependencies).
 * @param {string} root
 * @returns {{ name: string, version: string, licence: string, text: string | null }[]}
 */
export function shippedPackages(root) {
  const { packages } = JSON.parse(fs.readFileSync(path.join(root, 'package-lock.json'), 'utf8'))
  const places = new Set(Object.keys(packages).filter((place) => place !== '' && !packages[place].dev))
  const add = (place) => {
    if (places.has(place) || !packages[place]) return
    places.add(place)
    for (const name of Object.keys(packages[place].dependencies ?? {})) add(placeOf(packages, place, name))
  }
  for (const name of importedNames(path.join(root, 'renderer', 'src'))) add(`node_modules/${name}`)
  return [...places]
    .filter((place) => fs.existsSync(path.join(root, place, 'package.json')))
    .map((place) => describe(path.join(root, place)))
    .toSorted((a, b) => (`${a.name} ${a.version}` < `${b.name} ${b.version}` ? -1 : 1))
}

/** Formats the notice as plain text. */
export function noticeOf(shipped) {
  const parts = shipped.map(({ name, version, licence, text }) =>
    [`${name} ${version}`, `Licence: ${licence}`, '', text?.trim() ?? 'The package carries no text of its licence.'].join('\n'),
  )
  const rule = `\n\n${'-'.repeat(80)}\n\n`
  return (
    [`Bash Gym contains these ${shipped.length} packages of others. Electron and Node have notices of their own.`, ...parts].join(rule) +
    '\n'
  )
}

/** Where Node finds a package from inside another: nested first, then further up. */
function placeOf(packages, from, name) {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/')))) {
    const place = folder ? `${folder}/node_modules/${name}` : `node_modules/${name}`
    if (packages[place] || !folder) return place
    if (!folder.includes('/node_modules/')) return `node_modules/${name}`
  }
}

/** Names of the packages that the sources import, without tests. */
function importedNames(folder) {
  const names = new Set()
  for (const file of fs.readdirSync(folder, { recursive: true })) {
    if (!/(?<!\.test)\.(tsx?|css)$/.test(file) || /(^|\/)testing[^/]*$/.test(file)) continue
    const source = fs.readFileSync(path.join(folder, file), 'utf8')
    for (const [, specifier] of source.matchAll(/(?:from|import)\s*\(?\s*['"]([^'".#/][^'"]*)['"]/g))
      names.add(
        specifier
          .split('/')
          .slice(0, specifier.startsWith('@') ? 2 : 1)
          .join('/'),
      )
  }
  return names
}

const LICENCE_FILE = /^(licen[cs]e|copying|notice|unlicense)/i

function describe(folder) {
  const { name, version, license, licenses } = JSON.parse(fs.readFileSync(path.join(folder, 'package.json'), 'utf8'))
  const texts = fs
    .readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile() && LICENCE_FILE.test(entry.name))
    .map((entry) => fs.readFileSync(path.join(folder, entry.name), 'utf8'))
  const named = license?.type ?? license ?? licenses?.map(({ type }) => type).join(' OR ')
  return { name, version, licence: named ?? 'not named', text: texts.length > 0 ? texts.join('\n\n') : null }
}
