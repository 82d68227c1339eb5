import { CONDITIONS, ICD10 } from '../lexicon.ts'
import { lineEnd, lineStart } from '../lines.ts'
import type { Report } from '../types.ts'

/** Endings of words for conditions; used in clinical text only. */
const BY_ENDING = String.raw`(?<![\p{L}\p{N}_])(?:(?!(?:dia|pro|gno|a?gnosti|osm|hypn|metamorph|acad|boh)[\p{L}]*)\p{L}{3,}(?:itis|itide|osis|emia|aemia|ämie|émie|opathy|opath?(?:ie|ia|ía)|neuralgi[ae]|[ao]lgi[ae]|plegi[ae]|penia|sclero(?:se|si)|skleros[ei]?|kidose|arthros[ei]|artrosi|iasis|parkinson\p{L}*|oedema|ödem|paresis|dystroph(?:y|ie)|thyreose|tiroidismo|tireoidismo|thyro[iï]die|thyroïdie)|(?:adeno|glio|myelo|fibro|neuro|meningi|hepato|osteo|chondro|rhabdomyo)\p{L}*om[ae]?|sar[ck]om[ae]?|myelom[ae]?|vitiligo|(?:pulmonary|lungen)[ -]?emboli(?:sm|e)|gastroenterit\p{L}+|bipolar(?: i{1,2})? disorder|slipped dis[ck]s?|panic (?:attacks?|disorder)|cystic fibrosis|dyslexia|demenza(?: senile)?|deep vein thrombosis|hypertension artérielle|épilepsie|carpal tunnel(?: syndrome)?|frozen shoulder|torn (?:acl|meniscus|ligament)|heart attacks?|post-?traumatic stress disorder|long covid|gestational diabetes|(?:ulcerative|microscopic) colitis|rosacea|scabies|measles|mumps|rubella|cholera|diphtheria|tetanus|rabies|anthrax|leprosy|stutter(?:ing)?|tourette\p{L}*|asperger\p{L}*|spastici?t?\p{L}*|spondyl\p{L}+(?: ankylosa?n\p{L}*)?|latex|sulfa(?: drugs)?|sulfonamides?|amoxicillin|ibuprofen|aspirin|codeine|shellfish|lactose intolerance|gluten(?: intolerance)?|iodine|pollen|dust mites?|bee stings?|tree nuts?|\p{L}{4,}(?:krankheit|insuffizienz|schwäche|entzündung|infarkt|krebs|störung|allergie|bruch|lähmung|geschwür|allergi|sjukdom|sygdom|ziekte|kanker)|morbus \p{Lu}\p{Ll}+|(?:maladie|syndrome|enfermedad|síndrome|malattia|sindrome|doença|ziekte|mal|cancer|cáncer|cancro|câncer|tumore|tumeur|tumor) (?:de la |de l['’]|de |du |di |della |do |da |van |del )\p{L}+|(?:insuficiencia|insuffisance|insufficienza|insuficiência) \p{L}+|fibri(?:lación|llation|llazione|lação) \p{L}+|fractur[ae] (?:de |del |du |di |do |da )\p{L}+|(?:atrial|ventricular) fibrillation|(?:[\p{L}'’-]{4,} ){1,3}(?:disease|syndrome|disorder|palsy|stenosis|dystrophy|deficiency|syndrom)|(?:heart|kidney|renal|liver|hepatic|cardiac|respiratory|organ) failure|(?:hearing|vision|hair|memory|sight) (?:loss|impairment)|(?:scarlet|dengue|rheumatic|yellow|glandular|typhoid|lassa) fever|(?:hip|femur|wrist|ankle|skull|rib|pelvic|spinal|tibia|vertebral|clavicle) fracture|fractured (?:hip|femur|wrist|ankle|skull|rib|pelvis|tibia|clavicle)|(?:torn|ruptured) [\p{L} ]{3,24}(?:ligament|tendon|meniscus|acl)|(?:high|low) (?:cholesterol|blood sugar)|(?:alzheimer|parkinson|crohn|graves|addison|huntington|hashimoto|raynaud|meniere|wilson)(?:['’]s)?(?: (?:disease|syndrome|thyroiditis))?)(?![\p{L}\p{N}_])`
const ALL = new RegExp(`${CONDITIONS.source}|${BY_ENDING}`, 'giu')
/** Words after a condition that belong to its name. */
const BEHIND =
  /^(?:(?<=parkinson|alzheimer|crohn|hodgkin|tourette|asperger)['’]s|['’]s(?= (?:disease|syndrome|is|has|and|since)|[.,;]|$)|[ -](?:artérielle|arterielle|disorders?|diseases?|syndrome|failure|allergy|allergies|intolerance|positive|negative|mellitus|infection|deficiency|injury|type \d|typ \d|tipo \d|de type \d|de tipo \d|stage [IViv\d]+|in remission|exacerbation|with aura|crónic[ao]|cronic[ao]|chronique|crônic[ao]|isqu[ée]mica|aigu[ëe]?|atriale|atrial|sévère|grave|de type \d|bilateral|ankylosante|spinale|\p{L}{3,}(?:oide|ativa|ativo|ónica|onica|ónico|onico|ique|iale|eale)|[ab](?![\p{L}])))+/iu
/** Words before a condition that belong to its name. */
const BEFORE =
  /(?:(?:type|typ|stage|grade|stadium) [IVX\d]{1,3}|acute|chronic|severe|mild|moderate|major|minor|recurrent|congestive|familial|congenital|early|late|bilateral|left|right|akute?r?|chronische?r?|schwere?r?|aguda?|crónica?|cronica?|aiguë?|chronique|grave|\p{L}{3,}(?:al|ic|ive|ous|oid|ary|tory|gen|ogenic)|(?:non-)?hodgkin(?:['’]s)?|breast|lung|skin|colon|liver|brain|bone|blood|prostate|kidney|heart|nut|milk|egg|bee)(?:[ -])$/iu
const MAX_WORDS = 4
const LEADING = /^(?:[\p{L}'’-]{2,20} ){1,2}$/u
const SENTENCE =
  /\b(?:a|an|the|of|her|his|my|your|with|in|on|and|or|for|by|no|not|is|was|has|had|have|some|from|since|probable|possible|suspected|known|der|die|das|ein|eine|un|une|una|el|la|le|il|und|mit|von)\b/i

/** The conditions in a text, with the words that belong to them: "stage II breast cancer", "type 2 diabetes". */
export function conditionsIn(text: string, leads = true): { start: number; end: number }[] {
  const conditions: { start: number; end: number }[] = []
  for (const match of text.matchAll(ALL)) {
    let start = match.index
    for (let words = 0; words < MAX_WORDS; words += 1) {
      const before = BEFORE.exec(text.slice(Math.max(0, start - 30), start))
      if (before === null || /[\p{L}\p{N}]/u.test(text[start - before[0].length - 1] ?? ' ')) break
      start -= before[0].length
    }
    let end = match.index + match[0].length
    end += BEHIND.exec(text.slice(end, end + 40))?.[0].length ?? 0
    // the first one or two words of the text belong to the name: "Hodgkin lymphoma"
    if (leads && conditions.length === 0 && LEADING.test(text.slice(0, start)) && !SENTENCE.test(text.slice(0, start))) start = 0
    start += SENTENCE_WORDS.exec(text.slice(start, end))?.[0].length ?? 0
    const last = conditions.at(-1)
    if (last !== undefined && start <= last.end) last.end = Math.max(last.end, end)
    else conditions.push({ start, end })
  }
  return conditions
}

/** Words of a sentence that are not part of a disease's name. */
const SENTENCE_WORDS =
  /^(?:(?:\p{L}+ )?(?:disclosed|reported|reports|mentioned|confirmed|manages|hid) )?(?:(?:(?:primary |secondary |main )?diagnos[ei]s|from|with|because|having|suffers?|suffering|treated|about|this|that|their|have|after|since|into|also|known|probable|possible|suspected|which|diagnosed|history|patient|some) )*/iu

/** Last words of conditions that have no other meaning. */
export const NAMED_CONDITIONS = new Set([
  ...CONDITIONS.source
    .replace(/^\\b\(\?:/, '')
    .split('|')
    .map((part) => part.replace(/\\w\*$/, ''))
    .filter((part) => /^\p{L}{6,}$/u.test(part)),
  ...`adhd copd ptsd ocd hiv gerd ckd htn diabetes asthma epilepsy infarction fibrillation arthritis fibrosis dyslexia demenza disorder syndrome disc attacks attack sclerosis leukemia leukaemia lymphoma melanoma
  carcinoma dementia alzheimer parkinson schizophrenia anorexia bulimia autism dyslexia psoriasis eczema endometriosis fibromyalgia migraine migraines pneumonia tuberculosis hepatitis cirrhosis anemia anaemia thrombosis
  embolism apnea apnoea glaucoma scoliosis osteoporosis hypertension hypotension hypothyroidism hyperthyroidism crohn lupus celiac coeliac miscarriage pregnancy chemotherapy concussion sciatica tinnitus
  diabète hypertension asthme épilepsie migräne bluthochdruck epilepsie asma diabetes epilepsia hipertensión ipertensione hipertensão depresión dépression`.split(
    /\s+/,
  ),
])
const PEOPLE_NAMED =
  /\b(?:I|I['’](?:m|ve)|my|he|she|his|her|they|patient|client|Mr|Mrs|Ms|Mme|M\.|Herrn?|Frau|Sr|Sra|Signora?|y\/?o|years? old|year-old|father|mother|son|daughter|wife|husband|partner|sister|brother|child|employee|colleague|HR|MRN|discharged?|admitted|diagnos\w+|disclosed|suffer\w*|therapy|consistent with|mit|sick|on leave|paciente|paziente|patiente?|patientin|dob|geb\.?|nacid[oa]|née?)(?![\p{L}\d])/u
const NO_PERSON =
  /dataset|data set|\bmodel|classif|predict|prevalence|\btrial|\bstudy|studies|research|risk factor|article|chapter|wikipedia|awareness|charity|screening tool|ontology|snomed|translation|label(?:s|led)?\b|benchmark|train(?:ing)? set|csv column|feature/i
const RECORD_NEAR = /"resourceType"\s?:\s?"Condition"|\bpatients?\b|diagnos|\bdob\b|birth/i
const OF_PATIENTS =
  /\b(?:patient\w*|pt|diagnos\w+|hospital\w*|doctor|suffer\w*|admitted|(?:he|she|father|mother|husband|wife|who) (?:had|has|got)|sick leave)\b/i
/** Reports a condition without a label if its line or row is about a person. */
function reportNamedCondition(text: string, start: number, end: number, report: Report): void {
  const from = lineStart(text, start, 60)
  const to = lineEnd(text, end, 40)
  const around = text.slice(lineStart(text, start, 140), to)
  if (NO_PERSON.test(around)) return
  const isCell =
    /[|,;\t"'>]\s?$/.test(text.slice(Math.max(0, start - 24), start).replace(/[\p{L} ]{0,22}$/u, '')) &&
    /^(?: \p{L}+)?[|,;\t"'<)]|^\s*$/mu.test(text.slice(end, end + 24))
  const isRecord =
    isCell &&
    RECORD_NEAR.test(text.slice(Math.max(0, start - 300), start)) &&
    (/\d{4}-\d\d-\d\d/.test(around) || /resourceType/.test(text.slice(Math.max(0, start - 200), start)))
  if (!isRecord && !PEOPLE_NAMED.test(around)) return
  for (const { start: first, end: last } of conditionsIn(text.slice(from, to), false))
    if (
      from + first <= start &&
      from + last >= end &&
      !(AMBIGUOUS.test(text.slice(from + first, from + last)) && !OF_PATIENTS.test(around))
    )
      report('medical_condition', 'named', from + first, from + last, 0.65, true)
}

/** Clinical words, after which conditions are searched. */
export const CLINIC = new Set(
  'tiene tengo têm meds medication medications prescribed surgery chemo dialysis insulin relapse remission therapy patient patients pt pat admitted discharged diagnosed dx hx pmh clinic ward allergic allergy allergies suffers suffering treated treatment symptoms paciente patientin patientien paziente patiënt diagnose diagnosis diagnosi diagnóstico anamnese icd sick ill hospital has had having since because klinik seen presenta présente zustand disability condition antécédents antecedentes atteint atteinte souffre souffrant padece soffre affetto affetta sofre sofrendo leidet leide litt lijdt lider cierpi trpí anamnesi comorbidities comorbidity rehab psychiatry oncology sarkoidose reason problem flared'.split(
    ' ',
  ),
)

const WINDOW = 120
/** Ambiguous words, which are conditions only after a label. */
const AMBIGUOUS =
  /^(?:stroke|hernia|angina|depressions?|herpes|als|ibs|aids|insomnia|vertigo|gout|obesity|influenza|tumou?r|cataract|lupus|pregnan\w*|anxiety|ansia|cancer|colitis|malaria|infarct\w*|penicillin\w*|peanut\w*|covid.*)$/i
const OF_PEOPLE =
  /\b(?:patient|pt|pat|admitted|discharged|diagnos\w+|dx|hx|pmh|suffer\w*|sick|treated|hospital\w*|clinic|ward|mother|father|son|daughter|wife|husband|child|brother|sister|he|she|they|his|her|i|my|i've|i'm|leave|doctor|dr|paciente|paziente|patientin|krankenblatt|anamnes\w*|versichert\w*|geb|nacid[oa]|né(?:e)?)\b/i
/** Reports conditions within 120 characters after a clinical word, on the same line. */
export function clinicalAt(text: string, start: number, end: number, report: Report): void {
  const word = text.slice(start, end).toLowerCase()
  if (NAMED_CONDITIONS.has(word)) reportNamedCondition(text, start, end, report)
  const next = text.charCodeAt(end)
  if (!CLINIC.has(word) || !(next === 32 || next === 58 || next === 46 || next === 44 || next === 45)) return
  if (/^icd/i.test(text.slice(start, end))) {
    const code = ICD10.exec(text.slice(end, end + 24))
    if (code !== null) report('medical_condition', 'icd', end + code.index, end + code.index + code[0].length, 0.75, true)
    return
  }
  const newline = text.indexOf('\n', end)
  const line = text.slice(end, Math.min(newline < 0 ? text.length : newline, end + WINDOW))
  const isCommonWord =
    /^(?:has|had|having|since|because|ill|treatment|symptoms|hospital|seen|presenta|présente|zustand|condition|disability|reason|problem|flared)$/i.test(
      text.slice(start, end),
    )
  if (isCommonWord && !OF_PEOPLE.test(text.slice(Math.max(0, start - 100), end + 40))) return
  for (const { start: from, end: to } of conditionsIn(line)) {
    if (isCommonWord && AMBIGUOUS.test(line.slice(from, to)) && !OF_PEOPLE.test(text.slice(Math.max(0, start - 60), start))) continue
    report('medical_condition', 'clinical', end + from, end + to, 0.7, true)
  }
}
