/** Wordings of a prompt that complains about the work before it. */
const COMPLAINTS: readonly RegExp[] = [
  /\b(?:still|again) (?:fail(?:s|ing)?|broken|breaks|breaking|crash(?:es|ing)?|wrong|red)\b/i,
  /\b(?:does|did|do)(?:n['’]?t| not) (?:work|build|compile|run|help)\b/i,
  /\b(?:is|are|was)(?:n['’]?t| not) (?:working|fixed|right|correct)\b/i,
  /\bnot what i (?:asked|wanted|meant|said)\b/i,
  /\b(?:you|that|this|it) (?:has |have |just )?(?:broke|broken)\b/i,
  /\b(?:that|this|it)(?:['’]s| is) (?:wrong|broken|incorrect|worse)\b/i,
  /\b(?:revert|undo|roll back|back out) (?:that|this|it|your|the last|everything|all)\b/i,
  /\bwhy did you (?:delete|remove|change|break|rewrite)\b/i,
]

/** The words by which a prompt complains; null if none were recognised. */
export function complaintIn(prompt: string): string | null {
  for (const pattern of COMPLAINTS) {
    const found = pattern.exec(prompt)
    if (found) return found[0]
  }
  return null
}
