/** In what a request is shown: its body alone, or the whole of it. */
export const codeLanguages = ['JSON', 'curl', 'TypeScript', 'Python'];
