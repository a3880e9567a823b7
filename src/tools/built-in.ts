// The built-in tools in the order in which they are advertised. Loaded with the first call, never before: the catalogue
// holds what the registry needs until then.
import { applyPatch } from './built-in/apply-patch.ts'
import { askUser } from './built-in/ask-user.ts'
import { deleteFile } from './built-in/delete-file.ts'
import { editFile } from './built-in/edit-file.ts'
import { editLines } from './built-in/edit-lines.ts'
import { findDefinition } from './built-in/find-definition.ts'
import { findReferences } from './built-in/find-references.ts'
import { getClass } from './built-in/get-class.ts'
import { getComplexity } from './built-in/get-complexity.ts'
import { getDependencies } from './built-in/get-dependencies.ts'
import { getDependents } from './built-in/get-dependents.ts'
import { getFunction } from './built-in/get-function.ts'
import { getStructure } from './built-in/get-structure.ts'
import { getTodos } from './built-in/get-todos.ts'
import { gitCommit } from './built-in/git-commit.ts'
import { gitDiff } from './built-in/git-diff.ts'
import { gitStatus } from './built-in/git-status.ts'
import { listFiles } from './built-in/list-files.ts'
import { noteList } from './built-in/note-list.ts'
import { noteRead } from './built-in/note-read.ts'
import { noteSearch } from './built-in/note-search.ts'
import { noteWrite } from './built-in/note-write.ts'
import { planUpdate } from './built-in/plan-update.ts'
import { readFile } from './built-in/read-file.ts'
import { runTests } from './built-in/run-tests.ts'
import { searchSemantic } from './built-in/search-semantic.ts'
import { searchText } from './built-in/search-text.ts'
import { shellExec } from './built-in/shell-exec.ts'
import { shellOutput } from './built-in/shell-output.ts'
import { shellStop } from './built-in/shell-stop.ts'
import { task } from './built-in/task.ts'
import { webFetch } from './built-in/web-fetch.ts'
import { writeFile } from './built-in/write-file.ts'
import type { Tool } from './tool.ts'

export const builtInTools: readonly Tool[] = [
  listFiles,
  readFile,
  searchText,
  searchSemantic,
  getStructure,
  getFunction,
  getClass,
  findDefinition,
  findReferences,
  getDependencies,
  getDependents,
  getComplexity,
  getTodos,
  editFile,
  editLines,
  writeFile,
  deleteFile,
  applyPatch,
  shellExec,
  shellOutput,
  shellStop,
  runTests,
  gitStatus,
  gitDiff,
  gitCommit,
  planUpdate,
  task,
  askUser,
  webFetch,
  noteList,
  noteRead,
  noteSearch,
  noteWrite,
]
