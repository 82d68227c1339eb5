import { toast } from './toast.tsx'

/** Downloads text or bytes as a file. */
export function saveFile(name: string, content: Blob): void {
  const url = URL.createObjectURL(content)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // by then the browser has read it
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
}

/** Downloads what `load` returns; on failure shows an error with the title `failed`. */
export async function saveFrom(name: string, failed: string, load: () => Promise<Response | Blob>): Promise<void> {
  try {
    const loaded = await load()
    saveFile(name, loaded instanceof Response ? await loaded.blob() : loaded)
  } catch (error) {
    toast.error(failed, (error as Error).message)
  }
}
