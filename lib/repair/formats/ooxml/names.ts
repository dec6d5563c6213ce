import type { Archive, Member } from '../../core/zip/read';
import { readContentTypes } from './contenttypes';
import { contentTypesPath } from './package';
import { ownerOf, readRelationships } from './relationships';
import { decodeXml } from './text';
import { isKnownPart } from './vocabulary';

/** Parts that nearly every document has, by their usual names. */
const usual = [
  contentTypesPath,
  '_rels/.rels',
  'word/document.xml',
  'word/styles.xml',
  'word/settings.xml',
  'word/_rels/document.xml.rels',
  'xl/workbook.xml',
  'xl/styles.xml',
  'xl/sharedStrings.xml',
  'xl/worksheets/sheet1.xml',
  'xl/_rels/workbook.xml.rels',
  'ppt/presentation.xml',
  'ppt/_rels/presentation.xml.rels',
  'ppt/slides/slide1.xml',
];

/** A damaged name differs from the right one in at most so many letters. */
const mostWrong = 2;

/**
 * Gives members whose name is damaged the name that the rest of the package calls them by; the number of names set right. Names told by
 * relationships and content types come before the usual ones.
 */
export function correctNames(archive: Archive): number {
  const present = new Set(archive.members.filter(({ state }) => state !== 'lost').map(({ name }) => name));
  const told = new Set(namesTold(archive.members));
  const wanted = [...new Set([...told, ...usual])].filter((name) => !present.has(name));
  // A name that looks like one is wrong where nothing leads to it, but to one that differs in letters: numbers tell parts apart.
  const isWrong = (name: string) => !told.has(name) && !(isKnownPart(name) && usual.includes(name));
  const fits = (one: string, name: string) =>
    isNear(one, name) && (!isKnownPart(name) || (told.has(one) && numbersIn(one) === numbersIn(name)));
  let corrected = 0;
  for (const member of archive.members) {
    if (member.state === 'lost' || !isWrong(member.name)) continue;
    const name = wanted.find((one) => !present.has(one) && fits(one, member.name));
    if (!name) continue;
    archive.members = archive.members.filter((other) => other === member || other.name !== name);
    member.name = name;
    present.add(name);
    corrected++;
  }
  return corrected;
}

/** Names without which a package is none, whatever the rest of it says (ECMA-376 part 2, 6.5.2.1 and 7.2.3.1). */
const fixed = [contentTypesPath, '_rels/.rels'];

/**
 * Gives members the name that the rest of the package calls them by where only small and capital letters differ: the number of them that are
 * not found by programs to which these are two names. In office packages they are one (ECMA-376 part 2, 6.2.2.3).
 */
export function equateNames(archive: Archive, told = [...fixed, ...namesTold(archive.members)]): number {
  const present = new Set(archive.members.map(({ name }) => name));
  const wanted = new Map<string, string>();
  const called = new Set(told);
  for (const name of [...called, ...usual])
    if (!present.has(name) && !wanted.has(name.toLowerCase())) wanted.set(name.toLowerCase(), name);
  if (wanted.size === 0) return 0;
  let count = 0;
  for (const member of archive.members) {
    const key = member.name.toLowerCase();
    const name = wanted.get(key);
    if (name === undefined || called.has(member.name)) continue;
    if (called.has(name) && member.state !== 'lost') count++;
    member.name = name;
    wanted.delete(key);
  }
  return count;
}

/** Paths that relationships and the table of content types lead to, and the entries of parts that were not found under their name. */
function namesTold(members: readonly Member[]): string[] {
  const names: string[] = members
    .filter(({ name, state }) => state === 'lost' && isKnownPart(name))
    .map(({ name }) => name);
  for (const { name, data } of members) {
    if (name.endsWith('.rels')) {
      const owner = ownerOf(name);
      for (const { path } of readRelationships(decodeXml(data), owner)) if (path) names.push(path);
    }
    if (name.toLowerCase() === contentTypesPath.toLowerCase())
      for (const path of readContentTypes(decodeXml(data)).overrides.keys()) names.push(path);
  }
  return names.map((name) => name.replace(/^\//, ''));
}

const numbersIn = (name: string): string => name.replace(/\D+/g, ' ');

function isNear(right: string, name: string): boolean {
  if (right.length !== name.length) return false;
  let wrong = 0;
  for (let at = 0; at < name.length && wrong <= mostWrong; at++) if (right[at] !== name[at]) wrong++;
  return wrong > 0 && wrong <= mostWrong;
}
