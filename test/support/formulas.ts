/** Texts that some program for tables takes for a formula, or for the end of a line. */
export const formulas: readonly string[] = [
  '=1+1',
  '+44',
  '-1',
  '@name',
  '\tx',
  '\rx',
  '\n=1',
  ' =1',
  '\u00a0=1',
  '\u3000=1',
  '\ufeff=1',
  '\u200b=1',
  '\u202e=1',
  '\0=1',
  '\ufeff \t+1',
  '＝1',
  '＋1',
  '－1',
  '＠name',
  ' ＝1',
];

/** Texts that none takes for one. */
export const plainTexts: readonly string[] = ['', 'Form', '1-2', 'a=b', '(=1)', '“=1”', ' x'];
