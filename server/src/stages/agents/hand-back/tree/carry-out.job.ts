export { carryOut as default } from './carry-out.ts'
