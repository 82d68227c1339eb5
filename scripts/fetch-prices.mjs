// Writes the built-in prices from the newest `@pydantic/genai-prices` of the package registry. Run by hand; the app never does.
import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import { createRequire } from 'node:module'
import os from 'node:os'
import path from 'node:path'
import { root } from './lib/setup.mjs'

const PACKAGE = '@pydantic/genai-prices'
const PROVIDERS = ['anthropic', 'openai', 'google']

const npm = (...args) => execFileSync('npm', args, { encoding: 'utf8' })
const version = process.argv[2] ?? npm('view', PACKAGE, 'version').trim()
const asOf = JSON.parse(npm('view', PACKAGE, 'time', '--json'))[version].slice(0, 10)
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'bashgym-prices-'))
try {
  const file = npm('pack', `${PACKAGE}@${version}`, '--silent', '--pack-destination', folder).trim().split('\n').at(-1)
  execFileSync('tar', ['-xzf', path.join(folder, file), '-C', folder])
  const { findProvider } = createRequire(import.meta.url)(path.join(folder, 'package', 'dist', 'index.cjs'))
  const copyright = /^Copyright.*$/m.exec(fs.readFileSync(path.join(folder, 'package', 'LICENSE'), 'utf8'))?.[0] ?? ''
  const list = {
    source: `genai-prices ${version}`,
    licence: `MIT License. ${copyright}`.trim(),
    asOf,
    prices: PROVIDERS.flatMap((providerId) => findProvider({ providerId }).models.flatMap((model) => priceOf(model) ?? [])),
  }
  const target = path.join(root, 'server/src/prices/price-list.json')
  fs.writeFileSync(target, `${JSON.stringify(list, null, 2)}\n`)
  execFileSync(path.join(root, 'node_modules', '.bin', 'oxfmt'), [target])
  console.log(`${list.prices.length} prices of ${list.source} (${asOf})`)
} finally {
  fs.rmSync(folder, { recursive: true })
}

/** Null for models without a price for text. */
function priceOf({ id, match, prices }) {
  const current = Array.isArray(prices)
    ? prices.findLast(({ constraint }) => !constraint || (constraint.start_date ?? '9999') <= asOf)?.prices
    : prices
  const usd = (name) => current?.[name]?.base ?? current?.[name] // a price for long prompts has a base
  if (usd('input_mtok') === undefined || usd('output_mtok') === undefined) return null
  const optional = {
    cacheReadPerMTok: 'cache_read_mtok',
    cacheWritePerMTok: 'cache_write_mtok',
    cacheWrite1hPerMTok: 'cache_write_1h_mtok',
  }
  return {
    model: id,
    names: namesIn(match).filter((name) => name !== id),
    inputPerMTok: usd('input_mtok'),
    outputPerMTok: usd('output_mtok'),
    ...Object.fromEntries(Object.entries(optional).flatMap(([field, name]) => (usd(name) === undefined ? [] : [[field, usd(name)]]))),
  }
}

/** The names that a rule gives; what it only describes (patterns) is left out: a later model could have such a name. */
function namesIn(match) {
  const inner = match.or ?? match.and
  if (inner) return inner.flatMap(namesIn)
  return [match.equals ?? match.starts_with ?? []].flat().map((name) => name.replace(/[-@.]$/, ''))
}
