/** Names of countries in the languages of `labels.ts`. */

const LANGUAGES = 'en de fr es it pt nl pl cs sk da sv nb fi hu ro tr hr sl lt lv et id vi'.split(' ')
const CODES =
  'AD AE AF AG AL AM AO AR AT AU AZ BA BB BD BE BF BG BH BI BJ BN BO BR BS BT BW BY BZ CA CD CF CG CH CI CL CM CN CO CR CU CV CY CZ DE DJ DK DM DO DZ EC EE EG ER ES ET FI FJ FR GA GB GD GE GH GM GN GQ GR GT GW GY HK HN HR HT HU ID IE IL IN IQ IR IS IT JM JO JP KE KG KH KI KM KP KR KW KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MG MK ML MM MN MR MT MU MV MW MX MY MZ NA NE NG NI NL NO NP NR NZ OM PA PE PG PH PK PL PS PT PY QA RO RS RU RW SA SB SC SD SE SG SI SK SL SM SN SO SR SS ST SV SY SZ TD TG TH TJ TL TM TN TO TR TT TW TZ UA UG US UY UZ VA VC VE VN VU WS YE ZA ZM ZW'.split(
    ' ',
  )

let names: Set<string> | null = null
/** Whether a text is a country's name. Only used next to a label: some names are also words in other languages. */
export function isCountry(text: string): boolean {
  if (text.length < 3 || text.length > 40 || !/^\p{Lu}/u.test(text)) return false
  names ??= new Set(
    LANGUAGES.flatMap((language) => {
      const inLanguage = new Intl.DisplayNames([language], { type: 'region' })
      return CODES.map((code) => (inLanguage.of(code) ?? code).toLowerCase())
    }),
  )
  return names.has(text.toLowerCase())
}
