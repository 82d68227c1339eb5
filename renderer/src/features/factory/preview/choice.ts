import { create } from 'zustand'
import { persist } from 'zustand/middleware'

/** Settings of previews and lengths on this machine. Null: an estimate, the model's own template, no max length. */
export const usePreviewChoice = create(
  persist<{ tokenizer: string | null; template: string | null; maxTokens: number | null; boundaries: boolean }>(
    () => ({ tokenizer: null, template: null, maxTokens: null, boundaries: false }),
    { name: 'bashgym.preview' },
  ),
)
