-- The trace that a job goes on with, as a traceparent of W3C Trace Context; null where nothing is traced.
alter table jobs add column trace text;
