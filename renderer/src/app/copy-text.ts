import { toast } from '#renderer/ui/toast.tsx'

/** Copies a text and says so. The browser refuses without focus or permission. */
export async function copyText(text: string, { done = 'Copied', note }: { done?: string; note?: string } = {}): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
    toast.info(done, note)
  } catch {
    toast.error("Couldn't copy", 'Select the text and copy it by hand.')
  }
}
