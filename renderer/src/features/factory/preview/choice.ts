import { create } from 'zustand'
import { persist } from 'zustand/middleware'

/** With which tokenizer (null: an estimate) and chat template (null: its own) previews and lengths are shown on this machine. */
export const usePreviewChoice = create(
  persist<{ tokenizer: string | null; template: string | null; maxTokens: number | null; boundaries: boolean }>(
    () => ({ tokenizer: null, template: null, maxTokens: null, boundaries: false }),
    { name: 'bashgym.preview' },
  ),
)
