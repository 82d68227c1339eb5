import { hash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { createTwoFilesPatch } from 'diff'
import writeFileAtomic from 'write-file-atomic'
import { z } from 'zod'
import type { FoundCheck } from '#contracts/entities/check.ts'
import type { GymRule, GymRules } from '#contracts/entities/router.ts'
import { AppError } from '#contracts/errors.ts'
import { ForeignFileError, type ForeignFolder, inForeign } from '#server/foreign/index.ts'
import { JsonTextError, permissionRules, withAllowed, withoutAllowed } from '../../capture/index.ts'
import { type RuleContext, ruleOf } from './rule.ts'

export interface GymRulesDeps {
  dataDir: string
  /** The client's settings of the user, whose rules count too. */
  settingsFile: string
  checksOf: (directory: string) => Promise<FoundCheck[]>
  verdictOf: RuleContext['verdictOf']
}

/** Read by the client in this project only, and ignored by its git. */
const FILE = '.claude/settings.local.json'
const SHARED = '.claude/settings.json'
const NEW_FILE = '{}\n'
const MAX_FILE = 1024 * 1024

/** What the file was before, so that undoing it gives the same bytes. */
const Written = z.object({
  file: z.string(),
  before: z.string().nullable(),
  after: z.string(),
  rules: z.array(z.string()),
  folder: z.boolean(),
})
type Written = z.infer<typeof Written>

/** Rules of Claude Code with which the gym agent may run a project's own tests in place: shown, written, and taken back. */
export function createGymRules({ dataDir, settingsFile, checksOf, verdictOf }: GymRulesDeps) {
  const recordFile = (file: string) => path.join(dataDir, 'backups', `allow-rules-${hash('sha256', file).slice(0, 12)}.json`)
  const recordOf = (file: string): Written | null => {
    try {
      const { data } = Written.safeParse(JSON.parse(fs.readFileSync(recordFile(file), 'utf8')))
      return data?.file === file ? data : null
    } catch {
      return null // missing or damaged
    }
  }
  /** Whole or not at all: a torn record could not be undone to the byte. */
  const keep = (record: Written): Promise<void> => {
    fs.mkdirSync(path.dirname(recordFile(record.file)), { recursive: true, mode: 0o700 })
    return writeFileAtomic(recordFile(record.file), JSON.stringify(record), { mode: 0o600 })
  }

  /** Links are not followed: the project may be a stranger's. */
  const inProject = async <T>(directory: string, use: (project: ForeignFolder) => Promise<T>): Promise<T> => {
    try {
      return await inForeign(directory, use)
    } catch (error) {
      if (error instanceof JsonTextError)
        throw new AppError('client_settings_invalid', {
          message: `A settings file of ${directory}: ${error.message}. It was left unchanged.`,
          cause: error,
        })
      if (!(error instanceof ForeignFileError)) throw error
      throw new AppError('path_refused', { message: `${directory}: ${error.message}. Nothing was changed.`, cause: error })
    }
  }

  const offered = async (directory: string, project: ForeignFolder, own: string): Promise<GymRule[]> => {
    const shared = (await project.textOrNull(SHARED, MAX_FILE)) ?? NEW_FILE
    const lists = [own, shared, userSettings(settingsFile)].map(permissionRules)
    const context = { verdictOf, asks: lists.flatMap(({ ask }) => ask), denies: lists.flatMap(({ deny }) => deny) }
    const found = (await checksOf(directory)).filter(({ folder }) => folder === '')
    const scripts = scriptsOf(await project.textOrNull('package.json', MAX_FILE))
    const script = scripts.test
    const commands = [...found.slice(0, 1), ...(script === null ? [] : [{ command: script, because: 'the test script of package.json' }])]
    // what `npm test` stands for
    const verdicts = await Promise.all(Object.values(scripts).flatMap((one) => (one === null ? [] : [verdictOf(one)])))
    const isFine = verdicts.every(({ verdict }) => verdict === 'allow')
    const rules = (await Promise.all(commands.map((one) => ruleOf(one, context)))).map((rule) =>
      isFine ? rule : { ...rule, refused: rule.refused ?? 'The guardrails of Bash Gym object to what it runs.' },
    )
    return rules.filter((one, index) => rules.findIndex(({ rule }) => rule === one.rule) === index)
  }

  const planOf = async (directory: string, project: ForeignFolder) => {
    const file = path.join(directory, FILE)
    const now = await project.textOrNull(FILE, MAX_FILE)
    const record = recordOf(file)
    const without = record === null ? now : now === record.after ? record.before : now === null ? null : withoutAllowed(now, record.rules)
    const rules = await offered(directory, project, without ?? NEW_FILE)
    const allowed = rules.flatMap(({ rule, refused }) => (refused === null ? rule : []))
    const withRules = allowed.length === 0 ? without : withAllowed(without ?? NEW_FILE, allowed)
    const lacking = allowed.filter((rule) => !permissionRules(without ?? NEW_FILE).allow.includes(rule)) // the others are the user's
    // a record without its change is of a write that did not come to its end
    return { file, now, record, without, withRules, rules, allowed, lacking, isWritten: record !== null && now !== record.before }
  }
  const report = ({ file, now, without, withRules, rules, isWritten }: Awaited<ReturnType<typeof planOf>>, directory: string): GymRules => {
    const next = isWritten ? without : withRules
    const diff =
      next === now ? '' : createTwoFilesPatch(file, file, now ?? '', next ?? '', 'now', isWritten ? 'after taking them back' : 'after')
    return { directory, file, rules, written: isWritten, diff }
  }

  return {
    show: (given: string): Promise<GymRules> => {
      const directory = path.resolve(given)
      return inProject(directory, async (project) => report(await planOf(directory, project), directory))
    },
    /** Writes the rules that are offered, or takes back those that were written. */
    set: (given: string, written: boolean): Promise<GymRules> => {
      const directory = path.resolve(given)
      return inProject(directory, async (project) => {
        const plan = await planOf(directory, project)
        const { file, now, record, without, withRules, allowed, lacking } = plan
        if (written && allowed.length === 0)
          throw new AppError('mod_refused', {
            message: `No rule can be written for ${directory}: ${plan.rules[0]?.refused ?? 'no test command was found.'}`,
            hint: 'Let the gym agent work in a sandbox: it needs no rule there.',
          })
        if (!written && record === null) return report(plan, directory)
        const next = written ? withRules : without
        const hadFolder = record?.folder ?? (await project.find('.claude')) !== null
        if (written) await keep({ file, before: without, after: withRules ?? NEW_FILE, rules: lacking, folder: hadFolder })
        if (next !== now) {
          if (next === null) await project.remove(FILE)
          else await project.writeFile(FILE, next, { mode: (await project.find(FILE))?.mode ?? 0o600, limitBytes: MAX_FILE, sync: true })
        }
        if (!written) {
          if (!hadFolder) await project.removeFolder('.claude').catch(() => undefined) // something else is in it
          fs.rmSync(recordFile(file), { force: true })
        }
        return report(await planOf(directory, project), directory)
      })
    },
  }
}

function userSettings(file: string): string {
  try {
    return fs.readFileSync(file, 'utf8')
  } catch {
    return NEW_FILE // it has none, or they cannot be read by the client either
  }
}

/** npm runs all three. */
function scriptsOf(text: string | null): Record<'pretest' | 'test' | 'posttest', string | null> {
  let scripts: Record<string, unknown> | undefined
  try {
    scripts = (JSON.parse(text ?? '') as { scripts?: Record<string, unknown> } | null)?.scripts
  } catch {
    // it has none that npm would run
  }
  const of = (name: string) => (typeof scripts?.[name] === 'string' ? scripts[name] : null)
  return { pretest: of('pretest'), test: of('test'), posttest: of('posttest') }
}
