import { readFacts } from './facts.ts'

export const readTextIn = async (folder: string, name: string, _limit: number): Promise<string | null> => readFacts(folder).read(name)
