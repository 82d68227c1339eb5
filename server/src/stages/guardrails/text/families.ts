/** Kinds of wording by which a text speaks to the model that reads it. */
export interface Family {
  id: string
  /** What the text does: "it …". */
  does: string
  weight: number
  patterns: readonly RegExp[]
}

/** The weight from which one finding is enough, if nothing damps it. */
export const STRONG = 0.8

const INSTRUCTIONS = String.raw`(?:instructions?|rules|prompts?|guidelines|directives|directions|orders|commands|policies)`
const EARLIER = String.raw`(?:previous|prior|earlier|preceding|above|former|existing|original|initial|your|system|developer)`
const SECRET = String.raw`(?:https?:\/\/|~\/\.ssh|id_rsa|\.env\b|authorized_keys|secrets?\b|tokens?\b|api[ _-]?keys?\b|credentials?\b|passwords?\b|private keys?\b|environment variables|\$[A-Z][A-Z_]*(?:KEY|TOKEN|SECRET)|--no-verify|--force\b|\|\s*(?:ba|z)?sh\b|rm\s+-rf)`
const AGENT = String.raw`(?:ai(?: coding)? (?:assistants?|agents?|models?)|coding (?:agents?|assistants?)|language models?|llms?|claude|copilot|assistants?|agents?|ai)`

/** Each pattern begins with a word and looks a fixed way ahead, so that the time is linear in the length of the text. */
export const FAMILIES: readonly Family[] = [
  {
    id: 'override',
    does: 'asks to set earlier instructions aside',
    weight: STRONG,
    patterns: [
      new RegExp(
        String.raw`\b(?:ignor(?:e|ing)|disregard(?:ing)?|forget|override|bypass)\b[^.!?\n]{0,40}?\b${EARLIER}\s+(?:\w+\s+){0,2}?${INSTRUCTIONS}\b(?! for this)`,
        'gi',
      ),
      new RegExp(
        String.raw`\b(?:do not|don't|never|stop) (?:follow|obey|adhere to|comply with)(?:ing)?\b[^.!?\n]{0,30}?\b${INSTRUCTIONS}\b[^.!?\n]{0,20}?\b(?:your|developer|operator|system|user|above)\b`,
        'gi',
      ),
      /\b(?:ignorier|missachte|vergiss|vergesst|vergessen Sie|umgeh)\w*[^.!?\n]{0,30}?\b(?:bisherigen?|vorherigen?|vorigen?|obigen?|früheren?) (?:Anweisungen|Regeln|Vorgaben|Instruktionen|Befehle)/gi,
      /\b(?:oubli|ignor|néglige)\w*[^.!?\n]{0,30}?(?:consignes|instructions|règles|directives) (?:précédentes|antérieures|ci-dessus)/gi,
    ],
  },
  {
    id: 'set-aside',
    does: 'asks to set the task aside',
    weight: 0.5,
    patterns: [
      /\b(?:ignore|disregard|forget)\s+(?:(?:all|everything|anything|whatever)\s+(?:of\s+)?(?:above|before|prior|previous(?:ly)?|you (?:were|have been) told)|(?:the|your|this) (?:task|user|request))/gi,
    ],
  },
  {
    id: 'role',
    does: 'gives the model another role',
    weight: 0.45,
    patterns: [
      /\b(?:from now on,? you (?:are|will|must)|you are now\b|you have been (?:re)?assigned|pretend (?:to be|you are)|act as (?:an?|the) (?:unrestricted|root|admin))/gi,
      /\bnew (?:role|persona|identity|task|rules?|instructions?)\s*:/gi,
      /\bthe user (?:has )?(?:already )?(?:pre-)?(?:approved|authori[sz]ed)/gi,
    ],
  },
  {
    id: 'address',
    does: 'speaks to the agent',
    weight: 0.45,
    patterns: [
      new RegExp(
        String.raw`\b(?:notes?|message|instructions?|attention|hint|notice|reminder|todo)\b\s*[:(]?\s*(?:(?:to|for)\s+)?(?:all\s+|the\s+)?${AGENT}\b\s*\)?\s*[:,]`,
        'gi',
      ),
      new RegExp(String.raw`(?:^|[\n>#*]|--)[ \t]{0,8}(?:dear )?${AGENT}\s?[:,]\s`, 'gi'),
      new RegExp(String.raw`\bif you are an? (?:\w+ )?${AGENT}\b`, 'gi'),
      new RegExp(String.raw`\b${AGENT},? (?:you )?(?:must|should|needs? to|ha(?:s|ve) to)\s+(?!(?:now |not |also |first )?be\b)`, 'gi'),
    ],
  },
  {
    id: 'markup',
    does: 'has the marks that begin a message of a model',
    weight: STRONG,
    patterns: [
      /<\|im_start\|>\s*(?:system|user|assistant)\b/gi,
      /<\|(?:system|user|assistant|start_header_id)\|>/gi,
      /\[INST\]\s*\w|<<SYS>>/g,
      /<\/system-reminder>\s*<system-reminder>/gi,
      /<\/(?:function|tool)_results?>\s*(?:Human|User|System|Assistant)\s*:/gi,
    ],
  },
  {
    id: 'speaker',
    does: 'names a speaker of the conversation',
    weight: 0.35,
    patterns: [/(?:^|\n)[ \t]{0,8}\[?(?:SYSTEM|System|Human|Assistant|assistant)\]?\s?:\s/g, /\n\n(?:Human|Assistant):/g],
  },
  {
    id: 'action',
    does: 'asks for an action with a secret, an address or a shell',
    weight: 0.45,
    patterns: [
      new RegExp(
        String.raw`(?<!\b(?:never|not|n't|don't)\s)\b(?:run|execute|curl|wget|upload|send|post|e-?mail|exfiltrate|paste|append|push|delete|add|include|commit|install|disable)\b[^\n]{0,80}?${SECRET}`,
        'gi',
      ),
      new RegExp(String.raw`\b(?:sende|schicke|lade|führe|lösche)\b[^\n]{0,80}?${SECRET}`, 'gi'),
      new RegExp(String.raw`\b(?:ex.cute|envoye|affiche|supprime)[rz]?(?= )[^\n]{0,80}?${SECRET}`, 'gi'),
      /\b(?:you must|must) (?:install|disable|download)\b/gi,
    ],
  },
  {
    id: 'secrecy',
    does: 'asks to keep it from the user',
    weight: 0.45,
    patterns: [
      /\b(?:do not|don't|never|not|without)\s+(?:tell|mention|inform|show|notify|report|ask)(?:ing)?\b\s*(?:(?:about )?(?:this|it|that|anything)\b|(?:to )?(?:the )?(?:user|developer|anyone|them)\b|[;.]|$)/gi,
      /\bohne (?:es )?(?:dem|den) (?:Nutzer|Benutzer)\b|\bsans (?:le dire|prévenir|en informer)\b/gi,
    ],
  },
  {
    id: 'prompt-leak',
    does: 'asks for the instructions of the model',
    weight: 0.5,
    patterns: [
      /\b(?:reveal|print|show|repeat|output|display|leak)\s+(?:me\s+)?(?:your|the)\s+(?:(?:system|hidden|initial|full)\s+){0,2}(?:prompt|instructions)\b/gi,
    ],
  },
  {
    id: 'image',
    does: 'has an image whose address would carry data away',
    weight: 0.5,
    patterns: [/!\[[^\]\n]{0,80}\]\(https?:\/\/[^)\s?]{1,200}\?[^)\s{$]{0,200}(?:\{\{|\$\{)/g],
  },
  {
    id: 'hidden-html',
    does: 'hides text from the reader of the page',
    weight: 0.4,
    patterns: [
      /<[a-z]+\s[^>]{0,100}(?:display\s*:\s*none|font-size\s*:\s*0|visibility\s*:\s*hidden)[^>]{0,100}>\s*[a-z]+/gi,
      new RegExp(String.raw`<!--(?:(?!-->)[^]){0,200}?\b(?:ai|assistants?|agents?|llms?|claude|the user)\b`, 'gi'),
    ],
  },
]

/** Words that stand around a text about attacks. */
export const ABOUT_ATTACKS = /\b(?:attack|inject|jailbreak|malicious|adversar|phish|exploit|blocklist|false positive)/i
/** A line of a test. */
export const TEST_LINE = /\b(?:expect|assert\w*|it|test|describe)\s*\(|\bassert\b/
