/** Whether a script has only blank lines and comments. As a check it would always pass. */
export const isBlankScript = (script: string): boolean => script.split('\n').every((line) => /^\s*(?:#|$)/.test(line))
