"""Documents (Markdown, HTML, plain text) as tables: what of them says one thing of one named thing."""
