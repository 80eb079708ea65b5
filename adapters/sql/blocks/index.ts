export {
  auditBlockQueries,
  compareBlocks,
  isToBeRebuilt,
  toBlock,
  toBlockGroup,
  toGroupColumns,
} from './audit.ts'
export { type BlockQueries, type BlockStart, blockQueries, type LevelNumber } from './queries.ts'
