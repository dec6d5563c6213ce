/**
 * What the two runners say of a run, from their JSON.
 *
 * @typedef {{ passed: number, failed: number, skipped: string[], retried: string[] }} Outcome
 */

/** Names with how often each is there, "name (3)". */
function counted(names) {
  const counts = new Map();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].map(([name, count]) => (count > 1 ? `${name} (${count})` : name));
}

/**
 * Of Vitest's report. A test that was left out is named by its file, since whole suites are. None is tried twice.
 *
 * @returns {Outcome}
 */
export function vitestOutcome({ numPassedTests, numFailedTests, testResults }, root = process.cwd()) {
  const leftOut = testResults.flatMap(({ name, assertionResults }) =>
    assertionResults
      .filter(({ status }) => status !== 'passed' && status !== 'failed')
      .map(() => name.replace(`${root}/`, '')),
  );
  return { passed: numPassedTests, failed: numFailedTests, skipped: leftOut, retried: [] };
}

/** Every test of a suite of Playwright's and of those in it, by its file and title. */
function testsOf(suite, file = suite.file) {
  const own = (suite.specs ?? []).flatMap(({ title, tests }) => tests.map(({ status }) => ({ file, title, status })));
  return [...own, ...(suite.suites ?? []).flatMap((inner) => testsOf(inner, inner.file ?? file))];
}

/**
 * Of Playwright's report; what was skipped is named by its file, what was tried again by itself.
 *
 * @returns {Outcome}
 */
export function playwrightOutcome({ stats, suites }) {
  const tests = suites.flatMap((suite) => testsOf(suite));
  const those = (wanted) => tests.filter(({ status }) => status === wanted);
  return {
    passed: stats.expected + stats.flaky,
    failed: stats.unexpected,
    skipped: those('skipped').map(({ file }) => file),
    retried: those('flaky').map(({ file, title }) => `${file}: ${title}`),
  };
}

/**
 * The last lines of the gate: how many tests passed, failed, were skipped and needed a second try, and which the last two are.
 *
 * @param {Outcome[]} outcomes
 * @returns {string[]}
 */
export function lastLines(outcomes) {
  const sum = (count) => outcomes.reduce((total, outcome) => total + count(outcome), 0);
  const retried = outcomes.flatMap((outcome) => outcome.retried);
  const skipped = outcomes.flatMap((outcome) => outcome.skipped);
  const counts = [
    `${sum(({ passed }) => passed)} passed`,
    `${sum(({ failed }) => failed)} failed`,
    `${skipped.length} skipped`,
    `${retried.length} ${retried.length === 1 ? 'retry' : 'retries'}`,
  ];
  return [
    ...counted(skipped).map((name) => `Skipped: ${name}`),
    ...retried.map((name) => `Passed at the second try only, to be mended: ${name}`),
    counts.join(', '),
  ];
}
