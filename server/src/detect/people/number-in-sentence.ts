import { lookup } from '#contracts/lookup.ts'
import { luhn, ssnInRange } from '../checksums.ts'
import { birthDateAt } from './dates.ts'
import { lineEnd, lineStart } from '../lines.ts'
import { nationalId } from '../labels/national-ids.ts'
import type { Report } from '../types.ts'
import { matchAt } from '../match-at.ts'

/** Personal numbers in sentences: a keyword, some plain words, then the number. */

type NumberKind = 'date_of_birth' | 'passport' | 'driver_license' | 'mrn' | 'health_plan' | 'bank_account' | 'ssn'

const WORDS: Record<NumberKind, string> = {
  date_of_birth: `born birth birthday birthdate dob geboren geb née né née nacido nacida nació nascido nascida nasceu nato nata urodzony urodzona urodził urodziła född född født fødd syntynyt született doğum naissance nacimiento nascimento nascita geburtsdatum geboortedatum geburtstag`,
  passport: `ppt passport passports reisepass reisepasses reisepassnummer passnummer passeport pasaporte passaporto passaporte paspoort paspoortnummer paszport paszportu paszportem pasaport pasaportu mrz`,
  driver_license: `licence license licences führerschein führerscheins fuehrerschein führerscheinnummer permis rijbewijs cnh lic habilitação carnet patente körkort kørekort førerkort ehliyet jazdy ajokortti cdl dmv`,
  mrn: `mrn ipp pacjenta chart krankenblatt krankenakte patientenakte patientennummer prontuário prontuario cartella dossier historia historial kartoteki patient patiente patienten paciente paziente patientin file record case clinic hospital`,
  health_plan: `member membership subscriber insurance insured policy versichertennr versichertennummer versicherung krankenkasse mutuelle adhérent adherent carteirinha convênio convenio póliza poliza polizza polis zorgpolis kvnr ohip medicare medicaid bupa aetna cigna unimed humana kaiser bcbs uhc unitedhealthcare aok barmer vitalité plan seguro salud saúde`,
  bank_account: `account acct acc konto kontonummer kontonr účtu účet cuenta conto conta rekening rekeningnummer rachunku rachunek konta compte rib clabe giro a/c full deposit deposits`,
  ssn: `ssn bsn cpf rut run pesel dni nie nif nir nino sécu sécurité aadhaar cuit cuil curp personnummer cpr hetu rijksregisternummer ahv avs nric insee steuer national identity`,
}
export const NUMBER_WORDS = new Map<string, NumberKind>()
for (const [kind, words] of Object.entries(WORDS)) for (const word of words.split(' ')) NUMBER_WORDS.set(word, kind as NumberKind)

/** The format of each number, from its first digit or capital. */
const FORMS: Record<Exclude<NumberKind, 'date_of_birth'>, RegExp> = {
  passport:
    /(?:[A-Z]{1,3}\d{6,8}[A-Z]?|[CFGHJKLMNPRTVWXYZ](?=[A-Z0-9]*\d[A-Z]*\d)[CFGHJKLMNPRTVWXYZ0-9]{8}|(?=[A-Z0-9]*\d[A-Z0-9]*\d[A-Z0-9]*\d)[A-Z0-9]{8,9}|\d{4} \d{6})(?![\p{L}\p{N}_]|[-./:]\d)/uy,
  driver_license:
    /(?:(?=(?:[A-Z]*\d){4})[A-Z0-9]{7,18}|[A-Z]\d{2,4}(?:-\d{3,5}){1,3}|\d{5}\/\d{2}\/\d{4}|[A-Z]\d{3,5}-\d{4,5}(?:-\d{4,5})?)(?![\p{L}\p{N}_]|[-./:]\d)/uy,
  mrn: /(?:[A-Z]{1,4}-?\d{4,10}|\d{5,12}(?:[-/]\d{1,6})?|\d{3} \d{3} \d{4}|\d{4}\/\d{4,8})(?![\p{L}\p{N}_]|[-./:]\d)/uy,
  health_plan:
    /(?:[A-Z]{1,4}[ -]?\d{7,14}|\d{1,4}(?:[ -]\d{3,15}){1,4}(?:[ -]\d{1,2})?(?:-[A-Z]{2})?|[A-Z]\d{7,10} \d{2}|\d{2}-\d{6,10}|\d{8,17}|\d[A-Z][A-Z0-9]\d-[A-Z]{2}\d-[A-Z]{2}\d{2})(?![\p{L}\p{N}_]|[-./:]\d)/uy,
  bank_account:
    /(?:\d{1,6}-\d{6,10}\/\d{4}|\d{4}[ .]\d{2}[ .]\d{5}|\d{7,17}|\d{2}(?: \d{4}){6}|\d{4} \d{4} \d{2} \d{10}|\d{2,6}(?: \d{2,12}){2,5}|\d{4,8}-[\dxX])(?![\p{L}\p{N}_]|[-./:]\d)/uy,
  ssn: /[A-Z]{0,6}\d[A-Z0-9]*(?:[ .\-/][A-Z0-9]{1,6}){0,7}(?![\p{L}\p{N}_])/uy,
}

/** Ambiguous keywords, with a pattern that must also match on the line. */
const REQUIRED_CONTEXT: Readonly<Record<string, RegExp>> = lookup({
  lic: /lic ?(?:#|no\b)|driv/i,
  license:
    /\bdriv\w+|\brenew|\bDMV\b|\bD\.?L\b|\bstate\b|\brental\b|\bsuspended|\bTrooper|\bpolice\b|license (?:no|number|num|#|is|was)\b/i,
  licence: /\bdriv\w+|\brenew|\bDVLA\b|\brental\b|\bsuspended|\bpolice\b|\bborn\b|licence (?:no|number|num|#|is|was)\b/i,
  carnet: /condu|chofer|manejo/i,
  patente: /guida|conduc/i,
  permis: /condui|\bno?[°º.]|catégorie|préfecture/i,
  chart: /patient|chart (?:no|num|#)|clinic|hospital|ward|\bdr\b/i,
  dossier: /patient|médical|medical|hôpital|clinique|numéro/i,
  historia: /cl[ií]nica|paciente|hospital|n[º°]/i,
  historial: /cl[ií]nico|m[ée]dico|paciente/i,
  patient:
    /patient(?:e|en|s)? ?(?:#|no\b|n[°º]|id\b|nr\b|file|number|record|chart)|(?:file|record|chart|number|ipp|dossier|mrn|id)\b[^\n]{0,24}patient/i,
  file: /clinic|patient|hospital|ward|medical|surgery|practice/i,
  record: /clinic|patient|hospital|ward|medical|\bmrn\b|surgery/i,
  case: /clinic|patient|hospital|ward|medical/i,
  clinic: /(?:file|record|number|chart|id)\b/i,
  hospital: /(?:file|record|number|chart|id)\b/i,
  paciente: /prontu|historia|n[º°]|ficha|expediente/i,
  paziente: /cartella|codice/i,
  full: /account|\bACH\b|routing/i,
  plan: /health|medical|dental|insur/i,
  seguro: /salud|saúde|m[ée]dico|social|afiliad|p[óo]liza/i,
  salud: /p[óo]liza|seguro|tarjeta|afiliad/i,
  saúde: /plano|cart|convên/i,
  salut: /./,
  policy: /health|medical|insur|patient|dental|bupa|aetna|cigna|humana|kaiser|axa|dkv|krank/i,
  member: /health|medical|insur|patient|dental|bupa|aetna|cigna|humana|kaiser|bcbs|blue|plan|claim|uhc/i,
  membership: /health|medical|insur|patient|dental|bupa|aetna|cigna|humana|kaiser|bcbs|blue|vitality|doctor|\bdr\b/i,
  subscriber: /health|medical|insur|patient|dental|plan|claim/i,
  insured: /health|medical|patient|polic|claim|id|number/i,
  kaiser: /member|id\b|record|permanente|number/i,
  national: /(?:id|identity|number|insurance)\b/i,
  identity: /(?:card|number|no)\b/i,
  steuer: /id|nummer/i,
  run: /\bRUN\b/,
  nie: /\bNIE\b/,
  nir: /\bNIR\b/,
  mrz: /number|no\b|doc|passport/i,
  sécurité: /sociale/i,
})
const BANK =
  /\b(?:bank\w*|banco|banca|banque|payroll|sort code|bsb|iban|bic|swift|blz|routing|aba|ach|wire|transfer\w*|deposit|savings|checking|salary|wells fargo|refund|pay(?:out|ment|ee)?|agência|sucursal|überweis\w*|sparkasse|virement|girokonto|barclays|hsbc|chase|lloyds|santander|wells fargo|volksbank|natwest|account (?:number|no|holder|name|ending))\b|kontonum|účt|rachun|rekeningn|\bclabe\b|\brib\b/i
/** Words that end the search: the sentence is about something else. */
const STOPS =
  /^(?:key|keys|file|plate|plates|server|servers|version|versions?|port|agreement|text|terms|stripe|page|pages|expires?|valid|until|issue|line|lines|code|codes|digits?|bytes?|since|pull|commit|sha|hash|error|http|phone|tel|fax|email|mail|mrn|ssn|born|dob|visa|iban|bic|zip|plz|order|invoice|amount|total|balance|eur|usd|gbp|policy-id|uuid|github|google|aws|azure|size|max|min|id:|timeout|status|exit|took|timestamp|ts)[:,]?$/i
const PLAIN =
  /^[("'`«„“]{0,2}[\p{L}\p{M}][\p{L}\p{M}'’/.-]{0,23}['’]?[)"'`»”,:]{0,3}$|^[#:=–—→|(-]{1,2}$|^(?:n[°º.]{1,2}|no\.|nr\.|#|№)[:.]?$|^\(\w{1,12}\)[:,]?$/iu
const MAX_WORDS = 9
const MAX_CHARS = 90

/** Reports the number after the keyword from `start` to `end`, or before it ("X is her passport"), on the same line. */
export function proseNumberAt(text: string, start: number, end: number, report: Report): void {
  const word = text.slice(start, end).toLowerCase()
  const kind = NUMBER_WORDS.get(word)
  if (kind === undefined || /[\w@/\\.-]/.test(text[start - 1] ?? ' ')) return
  const stop = lineEnd(text, end, 120)
  if (!mayHoldNumber(text, start, end, stop)) return
  const line = () => text.slice(lineStart(text, start, 90), stop)
  const required = REQUIRED_CONTEXT[word]
  if (required !== undefined && !required.test(line())) return
  if (kind === 'bank_account' && !BANK.test(line())) return
  const number = numberAfter(text, end, stop, kind) ?? (kind === 'date_of_birth' ? null : numberBefore(text, start, kind))
  if (number === null || !isNumber(kind, text.slice(number.start, number.end), word)) return
  // `stat` prints the birth of a file, with the time
  if (kind === 'date_of_birth' && FILE_TIME.test(text.slice(number.end, number.end + 14))) return
  report(kind, 'number in sentence', number.start, number.end, 0.7)
}

const FILE_TIME = /^ \d\d:\d\d:\d\d\.\d{3}/

/** A cheap check: four digits on the rest of the line, or a digit shortly before the word. */
function mayHoldNumber(text: string, start: number, end: number, stop: number): boolean {
  let figures = 0
  for (let at = end; at < stop; at += 1) {
    const code = text.charCodeAt(at)
    if (code === 123 || code === 59 || (code === 46 && text.charCodeAt(at + 1) === 32 && text.charCodeAt(at - 1) > 96 && at - end > 4))
      break
    if (code >= 48 && code <= 57 && (figures += 1) === 4) return true
  }
  for (let at = start - 1; at > start - 16 && at >= 0; at -= 1) {
    const code = text.charCodeAt(at)
    if (code === 10) return false
    if (code >= 48 && code <= 57) return true
  }
  return false
}

interface Range {
  start: number
  end: number
}

function numberAfter(text: string, end: number, stop: number, kind: NumberKind): Range | null {
  let at = end
  if (/[\w@/\\=-]/.test(text[at] ?? ' ') || (text[at] === '.' && /\w/.test(text[at + 1] ?? ' '))) return null
  for (let words = 0; words <= MAX_WORDS && at < stop && at - end < MAX_CHARS; words += 1) {
    while (/[ \t,:="'`(#|*]/.test(text[at] ?? '')) at += 1
    if (at >= stop) return null
    const number = numberAt(text, at, kind)
    if (number !== null) return { start: at, end: number }
    let last = at
    while (last < stop && text.charCodeAt(last) > 32 && text.charCodeAt(last) !== 40) last += 1
    const token = text.slice(at, last)
    if (/\d/.test(token) || STOPS.test(token) || !PLAIN.test(token)) return null
    at = last
  }
  return null
}

function numberAt(text: string, at: number, kind: NumberKind): number | null {
  if (kind === 'date_of_birth') return birthDateAt(text, at)
  const form = FORMS[kind]
  const match = matchAt(form, text, at)
  return match !== null && /\d/.test(match[0]) ? at + match[0].length : null
}

const IS_OF =
  /["'`]?(?: (?:is|was|as|ist|est|es|è|é) (?:the|a|my|his|her|their|our|your|der|die|das|le|la|el|il|o) (?:[\p{L}'’]{2,14} ){0,2}|,? \((?:the |a )?)$/iu
function numberBefore(text: string, start: number, kind: NumberKind): Range | null {
  const from = Math.max(0, start - 60)
  const lead = text.slice(from, start)
  const link = IS_OF.exec(lead)
  if (link === null) return null
  const value = /(?:^|[\s"'`(])([A-Z0-9][A-Z0-9-]{4,16})$/.exec(lead.slice(0, link.index))?.[1]
  if (value === undefined) return null
  const end = from + link.index
  return numberAt(text, end - value.length, kind) === end ? { start: end - value.length, end } : null
}

/** Checks beyond the format: no date, year or filler, and a valid checksum if there is one. */
function isNumber(kind: NumberKind, value: string, word: string): boolean {
  if (kind === 'date_of_birth') return true
  const plain = value.replaceAll(/[^A-Z0-9]/gi, '').toUpperCase()
  if (new Set(plain).size < 3 || /^0?1234567890?$/.test(plain) || /^(?:19|20)\d\d[-/. ]?[01]\d[-/. ]?[0-3]\d/.test(value)) return false
  if (word === 'ssn') return /^\d{9}$/.test(plain) && ssnInRange(plain)
  if (kind === 'ssn') return plain.length > 6 && nationalId(plain, word)
  const figures = plain.replaceAll(/\D/g, '').length
  if (kind === 'passport') return figures >= 2
  if (kind === 'driver_license') return figures >= 4 && (/[A-Z]/.test(plain) || !/^(?:licen[cs]e|dmv)$/.test(word) || plain.length >= 8)
  if (kind === 'bank_account') return figures >= 6 && !(plain.length === 16 && luhn(plain))
  return figures >= (kind === 'mrn' ? 5 : 7)
}
