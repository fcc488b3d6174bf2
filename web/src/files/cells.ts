import { isFormula } from '../../../src/http/csv.ts';

/** What a cell of a file says. An export writes an apostrophe before what a program for tables would run. */
export function cellText(cell: string | undefined): string {
  const text = (cell ?? '').trim();
  return text.startsWith("'") && isFormula(text.slice(1)) ? text.slice(1).trim() : text;
}

/** What spreadsheets write for a formula that failed, in English and in other languages. */
const spreadsheetError =
  /^(?:#(?:N\/A|N\/D|NV|NULL!|NUL!|NULO!|¡NULO!|NULLO!|DIV\/0!|¡DIV\/0!|VALUE!|VALOR!|¡VALOR!|VALEUR!|VALORE!|WERT!|REF!|¡REF!|RIF!|BEZUG!|NAME\?|NOME\?|NOM\?|¿NOMBRE\?|NUM!|¡NUM!|NÚM!|¡NÚM!|NOMBRE!|ZAHL!|SPILL!|CALC!|FIELD!|BLOCKED!|CONNECT!|BUSY!|UNKNOWN!|ERROR!|GETTING_DATA|#{2,})|Err:\d{3})$/i;

/** What is wrong with the text of any cell; null: nothing. */
export function cellFault(text: string): string | null {
  if (text.includes('\ufffd')) {
    return 'Contains “\ufffd”: a letter is lost. Choose the encoding that the file has, or write it again';
  }
  if (spreadsheetError.test(text)) return `“${text}” is an error of the spreadsheet`;
  // oxlint-disable-next-line no-control-regex -- these are looked for
  const control = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]/.exec(text)?.[0];
  if (control === undefined) return null;
  const code = control.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0');
  return `Contains a control character (U+${code})`;
}
