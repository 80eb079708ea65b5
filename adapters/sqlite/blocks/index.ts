export { auditBlocks, repairBlocks } from './audit.ts'
export { type BlockCache, type CountedBlocks, createBlockCache, indexAt, NO_BLOCK_CACHE } from './cache.ts'
export { countChange } from './counts.ts'
export { type BlockConnection, keptBlocks } from './levels.ts'
