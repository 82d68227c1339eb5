import fs from 'node:fs'
import path from 'node:path'
import { sync as writeFileAtomicSync } from 'write-file-atomic'
import { implement, type Implementation } from '#contracts/derive/route.ts'
import type { ModReport } from '#contracts/entities/router.ts'
import * as routes from '#contracts/routes/savings.ts'
import type { RouterSettings } from '#contracts/settings/router.ts'
import type { Core } from '#server/core.ts'
import type { OwnPrice } from '#server/prices/prices.ts'
import type { PriceInput, RulesPriced } from './price.ts'

const JOB = new URL('./price.job.ts', import.meta.url)

export interface RulesDeps {
  settings: () => Pick<RouterSettings, 'rules' | 'rulesOn'>
  prices: () => readonly OwnPrice[]
  /** What our mod reads at the begin of each turn. */
  file: string
  mod: () => Promise<Pick<ModReport, 'installed' | 'loads' | 'problems'>>
}

/** Rules for Claude's own steps: written for the mod, and priced. */
export function createRules(core: Pick<Core, 'workers' | 'paths'>, { settings, prices, file, mod }: RulesDeps) {
  async function problem(): Promise<string | null> {
    const { installed, loads, problems } = await mod()
    if (!installed)
      return 'The mod is not installed, so Claude Code does not follow the rules. Install it in Settings → Model in Claude Code.'
    if (problems.some(({ kind }) => kind === 'mod_differs'))
      return 'The installed mod is of another version. Install it again in Settings → Model in Claude Code.'
    return loads === false ? 'Claude Code does not load the mod. Settings → Model in Claude Code says why.' : null
  }
  const implementations: Implementation[] = [
    implement(routes.priceStepRules, async ({ body, signal }) => {
      const { rules, rulesOn: isOn } = settings()
      const input: PriceInput = { database: core.paths.database, rules: body.rules ?? rules, prices: prices() }
      const priced = await core.workers.run<RulesPriced>(JOB, input, { lane: 'query', signal })
      return { ...priced, isOn, problem: isOn && rules.length > 0 ? await problem() : null }
    }),
  ]
  return {
    routes: implementations,
    /** Tells the mod. Without rules that are on there is no file. */
    tell(): void {
      const { rules, rulesOn } = settings()
      if (!rulesOn || rules.length === 0) return fs.rmSync(file, { force: true })
      fs.mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 })
      writeFileAtomicSync(file, `${JSON.stringify({ rules })}\n`, { mode: 0o600 })
    },
  }
}
