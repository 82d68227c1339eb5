import { toast } from './toast.tsx'

interface Words {
  done?: string
  note?: string
  /** What to do if it failed. */
  remedy?: string
}

/** Copies a text and says so. The browser refuses without focus or permission. */
export async function copyText(text: string, words: Words = {}): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
    toast.info(words.done ?? 'Copied', words.note)
  } catch {
    toast.error("Couldn't copy", words.remedy ?? 'Select the text and copy it by hand.')
  }
}
