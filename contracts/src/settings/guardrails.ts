import { z } from 'zod'
import { patternFault } from '../pattern.ts'
import { askedField } from '../places.ts'

const flag = (description: string) => z.boolean().default(true).meta({ description })

/** Words that stand in every text, so that a topic of them would match everything. */
const EVERYWHERE = new Set(
  'the and for you are this that with not but all any can has have was were will from your its our they one use get set new out how who what when where why der die das und ist ein eine mit von nicht les des est une que pour dans los las del con por'.split(
    ' ',
  ),
)
const word = z
  .string()
  .trim()
  .min(1)
  .max(80)
  .superRefine((text, issues) => {
    const letters = text.match(/[\p{L}\p{N}]/gu)?.length ?? 0
    const isWide = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u.test(text)
    if (letters < (isWide ? 1 : 3) || EVERYWHERE.has(text.toLowerCase()))
      issues.addIssue({ code: 'custom', message: `"${text}" would match nearly every text. Use words of at least three letters that only this topic has.` }) // prettier-ignore
  })
const Topic = z.object({ name: z.string().trim().min(1).max(80), words: z.array(word).min(1).max(200) }).meta({ id: 'GuardTopic' })
export type GuardTopic = z.infer<typeof Topic>
const topics = z
  .array(Topic)
  .max(50)
  .refine((list) => new Set(list.map(({ name }) => name)).size === list.length, 'Two topics have the same name.')
  .default([])

const examples = z.array(z.string().min(1).max(500)).min(1).max(20)

/** A rule of the user. It counts only while all of its tests pass. */
export const OwnGuardRule = z
  .object({
    name: z
      .string()
      .regex(/^[a-z0-9][a-z0-9-]{0,60}$/, 'Use small letters, digits and hyphens.')
      .meta({ description: 'its id, after `own-`' }),
    on: z.enum(['command', 'text']).meta({ description: 'command: each command that would run, its words separated by one space' }),
    pattern: z
      .string()
      .min(1)
      .max(500)
      .superRefine((pattern, issues) => {
        const fault = patternFault(pattern)
        if (fault !== null) issues.addIssue({ code: 'custom', message: fault })
      })
      .meta({ description: 'a regular expression that takes linear time' }),
    verdict: z.enum(['warn', 'block']),
    reason: z.string().trim().min(1).max(300),
    matches: examples.meta({ description: 'whole commands or texts that it must find' }),
    mustNotMatch: examples.meta({ description: 'whole commands or texts that it must not find' }),
  })
  .meta({ id: 'OwnGuardRule' })
export type OwnGuardRule = z.infer<typeof OwnGuardRule>

/** What is done about Claude Code's own commands: nothing, only listing them, or refusing and asking. */
export const GuardMode = z.enum(['off', 'observe', 'guard']).meta({ id: 'GuardMode' })
export type GuardMode = z.infer<typeof GuardMode>
/** What becomes of a command that cannot be checked, as while the app is closed. */
export const GuardUnchecked = z.enum(['nothing', 'ask']).meta({ id: 'GuardUnchecked' })
export type GuardUnchecked = z.infer<typeof GuardUnchecked>

/** Another machine only over https: texts are sent there. */
const ADDRESS = /^(?:https:\/\/[^\s/?#@]+|http:\/\/(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d{1,5})?)(?:\/[^\s?#@]*)?$/
const isAddress = (text: string): boolean => text === '' || (ADDRESS.test(text) && URL.canParse(text))

/** A NeMo Guardrails server, or another with its `POST /v1/checks`. */
export const GuardService = z
  .strictObject({
    url: askedField(
      z
        .string()
        .trim()
        .max(2000)
        .refine(
          isAddress,
          'Must be an https address, or an http address of this machine such as http://127.0.0.1:8000, without a user name, query or fragment.',
        ),
      'Send texts that you check to an address',
      { harmless: [''] },
    )
      .default('')
      .meta({ description: 'of the server; /v1/checks is added where it is missing; empty: nothing is asked' }),
    configId: z.string().trim().max(200).default('').meta({ description: 'id of a configuration of the server; empty: its default' }),
  })
  .meta({ id: 'GuardService' })
export type GuardService = z.infer<typeof GuardService>

/** What is checked beside the commands of sandboxes, which always are. */
export const GuardrailSettings = z
  .object({
    injectionDetection: flag('look in tool results for wording that speaks to the agent'),
    codeSafety: flag('judge the commands of captured sessions, after they ran'),
    piiFiltering: flag('look for secrets and personal data in texts that are checked as input or output'),
    contentModeration: flag('ask `service` about texts that are checked; nothing here knows violence and hate by itself'),
    service: GuardService.prefault({}),
    newSessions: z
      .boolean()
      .default(false)
      .meta({ description: 'check new and changed sessions without being asked, a few seconds after they changed' }),
    blockedTopics: topics.meta({ description: 'a text that is checked as input or output and has one of these words is blocked' }),
    allowedTopics: topics.meta({ description: 'if there are any: a checked text with none of their words is warned about' }),
    rules: z
      .array(OwnGuardRule)
      .max(100)
      .refine((list) => new Set(list.map(({ name }) => name)).size === list.length, 'Two rules have the same name.')
      .default([]),
    client: GuardMode.default('off').meta({ description: "the guard over Claude Code's own commands" }),
    clientUnchecked: GuardUnchecked.default('nothing').meta({
      description: 'what the guard does with a command that it cannot check, as while the app is closed',
    }),
  })
  .prefault({})
export type GuardrailSettings = z.infer<typeof GuardrailSettings>
