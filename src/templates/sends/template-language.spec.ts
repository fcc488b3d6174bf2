import { platformLanguage } from './template-language.js';

describe('the language of a template', () => {
  it.each([
    ['pt_BR', 'pt_BR'],
    ['pt-BR', 'pt_BR'],
    ['pt-br', 'pt_BR'],
    ['EN_us', 'en_US'],
    ['ckb-iq', 'ckb_IQ'],
    ['en', 'en'],
    ['fil', 'fil'],
    ['zh-Hant-TW', 'zh-Hant-TW'],
    ['english', 'english'],
  ])('that is given as %s is %s', (given, language) => {
    expect(platformLanguage(given)).toBe(language);
  });
});
