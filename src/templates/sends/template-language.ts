const regionForm = /^([a-z]{2,3})[-_]([a-z]{2})$/i;

/** A language code as WhatsApp writes it: `pt-BR`, `pt_br` and `PT_BR` are its `pt_BR`. */
export function platformLanguage(code: string): string {
  const [, language, region] = regionForm.exec(code) ?? [];
  return language && region ? `${language.toLowerCase()}_${region.toUpperCase()}` : code;
}
