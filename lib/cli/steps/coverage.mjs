/**
 * Least share of lines, in percent, that unit, API, contract and engine tests must go through, by folder: where it stands, rounded down; null
 * where it is printed only. What is drawn for a page and read by a browser alone (routes, sections, layout) is gone through by the tests in a browser, which are not counted.
 */
export const floors = {
  'app/api': 96,
  'components/account': 75,
  'components/actions': 40,
  'components/auth': 96,
  'components/layout': 60,
  'components/repair': 85,
  'components/sections': 17,
  'components/ui': 80,
  'lib/catalog': 96,
  'lib/cli/front': 68,
  'lib/content': 91,
  'lib/contract': 99,
  'lib/repair': 95,
  'lib/seo': 94,
  'lib/server': 94,
  'lib/utils': 65,
  services: 66,
  store: 81,
};

/**
 * Lines of each folder from the summary that the tests write.
 *
 * @param {Record<string, { lines: { total: number, covered: number } }>} summary by absolute path
 * @returns {{ folder: string, files: number, percent: number, floor: number | null }[]}
 */
export function coverageByFolder(summary, root = process.cwd()) {
  return Object.entries(floors).map(([folder, floor]) => {
    const inside = Object.entries(summary).filter(([path]) => path.startsWith(`${root}/${folder}/`));
    const sum = (part) => inside.reduce((total, [, { lines }]) => total + lines[part], 0);
    const total = sum('total');
    return { folder, files: inside.length, percent: total === 0 ? 0 : (sum('covered') / total) * 100, floor };
  });
}

/**
 * The table that is printed, and what is below its floor.
 *
 * @param {ReturnType<typeof coverageByFolder>} rows
 */
export function coverageTable(rows) {
  const line = (folder, files, percent, floor) =>
    `${folder.padEnd(22)}${String(files).padStart(6)}${percent.padStart(9)}${floor.padStart(8)}`;
  return {
    lines: [
      line('folder', 'files', 'lines', 'floor'),
      ...rows.map(({ folder, files, percent, floor }) =>
        line(folder, files, `${percent.toFixed(1)} %`, floor === null ? '–' : `${floor} %`),
      ),
    ],
    below: rows.filter(({ percent, floor }) => floor !== null && percent < floor).map(({ folder }) => folder),
  };
}
