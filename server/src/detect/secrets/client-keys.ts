import { VENDORS } from './secrets-in-calls.ts'
import { entropyOf, isPlaceholder } from './placeholders.ts'
import { isRandomLetters } from './random-letters.ts'
import type { Report } from '../types.ts'

/** Keys passed by position to the client of a known service: `new OpenAI('…')`, `twilio(sid, '…')`, `setApiKey('…')`. */

const CLIENTS = new Set([
  ...VENDORS.filter((name) => !/^(?:segment|here|fly|render|square|scout|heap|split|percy|comet|box|zoom|linear|wandb)$/.test(name)),
  ...'algoliasearch groq togetherai fireworks perplexity gemini googlegenerativeai generativeai tavily resend brevo klaviyo postmarkclient octokit pygithub telebot telegrambot telegraf slackbot webclient languagemodel langfuse langsmith portkey voyage voyageai stabilityai openrouter deepseek xai azureopenai chatopenai chatanthropic asyncopenai asyncanthropic ipdata airtablebase serverclient'.split(
    ' ',
  ),
])
const SETTERS = new Set([
  'setapikey',
  'withapikey',
  'apikey',
  'setaccesstoken',
  'setauthtoken',
  'settoken',
  'setsecretkey',
  'authenticatewith',
])
const ENDING = /(?:client|sdk|api|service|async|sync)$/
const REQUIRED = /require\(["']([\w./@-]{2,40})["']\)$/
const MAX_ARGUMENTS = 4
const ARGUMENT = /\s{0,40}(?:([rbfu]{0,2}["'`])([A-Za-z0-9_+/=.:-]{1,200})["'`]|[\w$.]{1,80})\s{0,40}(,|\))/y

/** Reports keys in the arguments of a call whose bracket opens at `at`. */
export function clientKeyAt(text: string, at: number, report: Report): void {
  let from = at
  const least = Math.max(0, at - 24)
  while (from > least && isWordCode(text.charCodeAt(from - 1))) from -= 1
  let name = text.slice(from, at).toLowerCase()
  if (name === '' && text.charCodeAt(at - 1) === 41) name = REQUIRED.exec(text.slice(Math.max(0, at - 60), at))?.[1]?.toLowerCase() ?? ''
  if (name.length < 3) return
  const isSetter = SETTERS.has(name)
  if (!isSetter && !CLIENTS.has(name) && !CLIENTS.has(name.replace(ENDING, ''))) return
  ARGUMENT.lastIndex = at + 1
  for (let count = 0; count < MAX_ARGUMENTS; count += 1) {
    const match = ARGUMENT.exec(text)
    if (match === null) return
    const value = match[2]
    if (value !== undefined && isKey(value)) {
      const start = text.indexOf(value, ARGUMENT.lastIndex - match[0].length)
      report('api_key', 'client', start, start + value.length, 0.8)
    }
    if (match[3] === ')') return
  }
}

const isKey = (value: string) =>
  value.length >= 16 &&
  !/^https?:|^[\w.-]+\/[\w./-]+$|^[a-z]+(?:[-_.][a-z]+)*(?:[-_.]v?\d{1,4})*$|^[a-z]+-\d|^\d{4}-\d\d-\d\d/.test(value) &&
  !isPlaceholder(value) &&
  (isRandomLetters(value) || (/\d/.test(value) && /[A-Za-z]/.test(value) && entropyOf(value) >= 3))

const isWordCode = (code: number) => (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 48 && code <= 57) || code === 95
