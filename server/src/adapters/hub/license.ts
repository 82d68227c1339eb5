const FRONT_MATTER = /^---\r?\n([\s\S]*?)\r?\n---/

/** The licence in the front matter of a model card; its name if it is not a common one; null if there is none. */
export function licenseIn(card: string): string | null {
  const front = FRONT_MATTER.exec(card)?.[1] ?? ''
  const [license, name] = [valueOf(front, 'license'), valueOf(front, 'license_name')]
  return license === null || license === 'other' ? (name ?? license) : license
}

const valueOf = (front: string, key: 'license' | 'license_name'): string | null =>
  new RegExp(`^${key}:[ \\t]*["']?([^"'\\r\\n#]+)`, 'm').exec(front)?.[1]?.trim() || null
