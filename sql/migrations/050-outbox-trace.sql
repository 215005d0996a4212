-- The W3C traceparent of what brought a message about, where traces are kept: whoever hears it goes on with that trace.
alter table outbox add column trace text;
