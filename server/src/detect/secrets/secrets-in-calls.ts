import { isUser } from '../machines/hosts.ts'
import { entropyOf, isPlaceholder } from './placeholders.ts'
import { looksLikePassword } from './secret-values.ts'
import type { Report } from '../types.ts'
import { matchAt } from '../match-at.ts'

/** Secrets passed to a call by position: a user and a password, the key of a signature. */

const QUOTED = String.raw`["'\x60]([^"'\x60\n]{3,120})["'\x60]`
const PAIR = new RegExp(
  String.raw`\w*["']?\s?[:=]?\s?(?:new\s)?(?:\w+\.)*\w*[(\[]\s*(?:\$?\w+(?:\.\w+)*\s*,\s*)?${QUOTED}\s*,\s*${QUOTED}\s*[,)\]]`,
  'dy',
)
const SIGNED = new RegExp(
  String.raw`\.(?:sign|verify|encode|decode|Sign|Verify)\((?:[^()\n"']|\([^()\n]{0,80}\)|["'][^"'\n]{0,40}["'](?=:)){1,160}?,\s*b?${QUOTED}`,
  'dy',
)
const DIGEST = new RegExp(
  String.raw`(?:\.new|_hash_hmac)?\((?:\s*["'][\w-]{2,12}["'],)?(?:\s*\$?\w+,)?\s*b?(?:\[\]byte\()?${QUOTED}\)?\s*[,)]`,
  'dy',
)

/** Keywords in names of calls. */
export const CALLS = 'cred creds userpass auth login credentials credential authenticate basic signin connection jwt hmac sha256'.split(' ')

/** Reports secrets in the arguments of a call. The keyword `word` in its name ends at `end`. */
export function callAt(text: string, end: number, word: string, report: Report): void {
  if (word === 'jwt') return keyOf(text, SIGNED, end, report)
  if (word === 'hmac' || word === 'sha256') return keyOf(text, DIGEST, end, report)
  const places = matchAt(PAIR, text, end)?.indices
  if (places === undefined) return
  const [, user, password] = places
  const name = text.slice(...user!)
  const value = text.slice(...password!)
  const isMail = /^[\w.+-]+@[\w-]+\.[\w.]+$/.test(name)
  if (!/^[\w.@+\\-]{2,60}$/.test(name) || isPlaceholder(value) || STOCK.test(value)) return
  const isSpaced = /^[a-z]{4}(?: [a-z]{4}){3}$/.test(value)
  if (
    !isSpaced &&
    (/\s/.test(value) ||
      !/\d|[!@#$%^&*]|[a-z][A-Z]{2,}[a-z]|[a-z][A-Z]{2,}$/.test(value) ||
      !looksLikePassword(value, { quoted: true, firm: true }))
  )
    return
  if (/^[\w-]+[.:/][\w.:/-]+$/.test(value) || /^\d+$/.test(value)) return
  report('password', 'call', password![0], password![1], 0.75)
  if (!isMail && isUser(name)) report('username', 'call', user![0], user![1], 0.7)
}
const STOCK = /^(?:pass(?:word)?|secret|test|user|admin|root|guest|wrong|invalid|incorrect|bad|correct|my|your)[-_]?\w{0,10}\d{0,3}$/i

function keyOf(text: string, form: RegExp, end: number, report: Report): void {
  const place = matchAt(form, text, end)?.indices?.[1]
  if (place === undefined) return
  const value = text.slice(...place)
  if (
    value.length < 8 ||
    /\s/.test(value) ||
    !/\d/.test(value) ||
    isPlaceholder(value) ||
    /^(?:[HRPE]S\d{3}|sha\d+|md5|hex|base64\w*|utf-?8)$/i.test(value)
  )
    return
  if (/^(?:test|my|your)[-_]?(?:secret|key)\d{0,3}$/i.test(value) || entropyOf(value) < 2.6) return
  report('secret', 'signature', place[0], place[1], 0.75)
}

const PRIVATE_LINES = /-Lines: (\d{1,3})\r?\n((?:[A-Za-z0-9+/=]{1,76}(?:\r?\n|$)){1,200})/y
/** The private part of a PuTTY key: the word `Private` ends at `end`. */
export function puttyAt(text: string, end: number, report: Report): void {
  const match = matchAt(PRIVATE_LINES, text, end)
  if (match === null) return
  const start = end + match[0].length - match[2]!.length
  const lines = match[2]!.split('\n').slice(0, Number(match[1])).join('\n').trimEnd()
  if (lines.length >= 20) report('private_key', 'putty', start, start + lines.length, 0.95, true)
}

const AROUND = 6000
const MEMBER = /"(?:d|p|q|dp|dq|qi|k)"\s*:\s*"([A-Za-z0-9_-]{20,1400})"/dg
/** The private members of a JSON web key: the word `kty` is at `start`. */
export function jwkAt(text: string, start: number, report: Report): void {
  const open = text.lastIndexOf('{', start)
  if (open < 0 || start - open > AROUND) return
  const close = text.indexOf('}', start)
  const object = text.slice(open, Math.min(close < 0 ? text.length : close, open + AROUND))
  for (const match of object.matchAll(MEMBER)) {
    const [from, to] = match.indices![1]!
    report('private_key', 'jwk', open + from, open + to, 0.95, true)
  }
}

/** Names of services. A long random value in a variable with such a name is a key. */
export const VENDORS =
  `algolia mixpanel amplitude segment rollbar bugsnag sentry datadog mailgun sendgrid mailchimp mailjet postmark sparkpost twilio nexmo vonage plivo stripe braintree adyen paypal mollie razorpay square pusher ably
  pubnub onesignal firebase intercom zendesk freshdesk hubspot salesforce airtable notion contentful sanity prismic storyblok cloudinary imgix uploadcare mapbox here opencage ipinfo openweather weatherapi newsapi
  tmdb giphy unsplash pexels recaptcha hcaptcha turnstile cloudflare fastly netlify vercel heroku render railway fly digitalocean linode vultr hetzner scaleway ovh newrelic honeycomb logtail loggly papertrail logdna
  splunk honeybadger airbrake raygun appsignal scout posthog heap fullstory hotjar launchdarkly optimizely split auth0 okta clerk supabase hasura planetscale fauna upstash openai anthropic cohere mistral replicate
  huggingface wandb comet neptune pinecone weaviate qdrant elevenlabs deepgram assemblyai serpapi browserstack saucelabs percy codecov coveralls sonarqube snyk circleci travis buildkite jenkins gitlab bitbucket
  jira linear asana trello clickup discord telegram slack twitch spotify dropbox box zoom calendly typeform shopify woocommerce plaid coinbase binance kraken alchemy infura etherscan moralis`.split(
    /\s+/,
  )

const REST =
  /[A-Z0-9_]*(?:["']\s*)?\s?[=:]\s?["']?((?=[A-Za-z0-9+/_-]*\d)(?=[A-Za-z0-9+/_-]*[A-Za-z])[A-Za-z0-9+/_-]{20,128}={0,2})(?![\w./:-])/dy
const PUBLIC =
  /(?:_|^)(?:ID|SHA\d*|HASH|MD5|CHECKSUM|DIGEST|COMMIT|REV|REVISION|VERSION|INDEX|URL|HOST|REGION|BUCKET|IMAGE|TAG|NAME|BRANCH|PUBLIC|FINGERPRINT|TRACE|REQUEST|UUID|BUILD)(?:_|$)/
/** `ALGOLIA_ADMIN=4be0…`: the name of a service, from `start` to `end` in capitals, before a random value. */
export function vendorAt(text: string, start: number, end: number, report: Report): void {
  const first = text.charCodeAt(start)
  if (first < 65 || first > 90 || text.charCodeAt(start + 1) > 90) return
  const match = matchAt(REST, text, end)
  if (match === null) return
  const [from, to] = match.indices![1]!
  let name = start
  while (/[A-Z0-9_]/.test(text[name - 1] ?? '')) name -= 1
  const value = text.slice(from, to)
  if (PUBLIC.test(text.slice(name, end) + /^[A-Z0-9_]*/.exec(match[0])![0]) || isPlaceholder(value) || entropyOf(value) < 3) return
  if (/^[a-z]+(?:[-_][a-z\d]+)*$/.test(value) && !/^[a-f\d]{20,}$/.test(value)) return
  report('api_key', 'service', from, to, 0.75)
}
