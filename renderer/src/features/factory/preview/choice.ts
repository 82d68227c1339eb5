import { create } from 'zustand'
import { persist } from 'zustand/middleware'

/** With which tokenizer previews and lengths are shown on this machine; null: an estimate. */
export const usePreviewChoice = create(
  persist<{ tokenizer: string | null; maxTokens: number | null; boundaries: boolean }>(
    () => ({ tokenizer: null, maxTokens: null, boundaries: false }),
    { name: 'bashgym.preview' },
  ),
)
