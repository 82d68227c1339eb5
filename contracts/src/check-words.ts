/** "Not verified: the checks couldn't run (pytest is missing)" */
export const notVerified = (reason: string | null): string => {
  const missing = /^The Python package (\S+) is missing in the sandbox\.$/.exec(reason ?? '')?.[1]
  if (missing !== undefined) return `Not verified: the checks couldn't run (${missing} is missing)`
  return reason === null ? 'Not verified' : `Not verified: ${reason}`
}
