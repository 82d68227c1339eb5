const PYTHON = /^(?:async )?def (test\w*)\s*\(/gm
const SCRIPT = /^\s*(?:test|it)\s*\(\s*(['"])([^'"\\\n]+)\1/gm
const SKIPS = /\bskip|\bxfail|\btodo\b|\bonly\b/i

/** Finds the names of tests in the text of a file; none if some of them may be skipped. */
export function writtenTests(file: string, text: string): string[] {
  if (SKIPS.test(text)) return []
  return file.endsWith('.py') ? [...text.matchAll(PYTHON)].map((match) => match[1]!) : [...text.matchAll(SCRIPT)].map((match) => match[2]!)
}
