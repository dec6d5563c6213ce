// Writes the index of the content's pages, which the type check and the tests read as well as the build.
import { writeContentIndex } from './steps/content-index.mjs';

writeContentIndex();
