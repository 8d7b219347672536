import { Visitor, type Program } from 'oxc-parser';
import type { Span } from './outline.ts';

/** The parts of a program that are values written as text: templates, strings and the text of JSX. */
export function literalSpans(program: Program): readonly Span[] {
  const spans: Span[] = [];
  const keep = ({ start, end }: Span): void => void spans.push({ start, end });
  new Visitor({
    TemplateElement: keep,
    JSXText: keep,
    Literal: (node) => {
      if (typeof node.value === 'string') keep(node);
    },
  }).visit(program);
  return spans;
}
