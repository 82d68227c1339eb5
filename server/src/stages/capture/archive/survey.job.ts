import { type Survey, survey } from './survey.ts'

export default (input: { archive: string; repair: boolean }): Survey => survey(input.archive, input)
