export { auditBlocks, repairBlocks } from './audit.ts'
export { countChange } from './counts.ts'
export { forgetStarts } from './starts.ts'
